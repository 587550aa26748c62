<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ChatPage</name>
    <message numerus="yes">
        <source>%n chats were deleted.</source>
        <translation>
            <numerusform>%n chat was deleted.</numerusform>
            <numerusform>%n chats were deleted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>%n bars</source>
        <translation>
            <numerusform>%n bar</numerusform>
            <numerusform>%n bars</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n tokens before</source>
        <translation>
            <numerusform>… %n token before</numerusform>
            <numerusform>… %n tokens before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens after …</source>
        <translation>
            <numerusform>%n token after …</numerusform>
            <numerusform>%n tokens after …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n keys together have {total}.</source>
        <translation>
            <numerusform>The only key has {total}.</numerusform>
            <numerusform>All %n keys together have {total}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %n others</source>
        <translation>
            <numerusform>the other one</numerusform>
            <numerusform>all %n others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages will be forgotten</source>
        <translation>
            <numerusform>%n message will be forgotten</numerusform>
            <numerusform>%n messages will be forgotten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats came in.</source>
        <translation>
            <numerusform>%n chat came in.</numerusform>
            <numerusform>%n chats came in.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not: {reason}</source>
        <translation>
            <numerusform>%n could not: {reason}</numerusform>
            <numerusform>%n could not: {reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats were written to {name}.</source>
        <translation>
            <numerusform>%n chat was written to {name}.</numerusform>
            <numerusform>%n chats were written to {name}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more are too big for this machine.</source>
        <translation>
            <numerusform>%n more is too big for this machine.</numerusform>
            <numerusform>%n more are too big for this machine.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n downloads</source>
        <translation>
            <numerusform>%n download</numerusform>
            <numerusform>%n downloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n days ago</source>
        <translation>
            <numerusform>used %n day ago</numerusform>
            <numerusform>used %n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n s left</source>
        <translation>
            <numerusform>%n s left</numerusform>
            <numerusform>%n s left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min left</source>
        <translation>
            <numerusform>%n min left</numerusform>
            <numerusform>%n min left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h left</source>
        <translation>
            <numerusform>%n h left</numerusform>
            <numerusform>%n h left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>%n chats from {source}</source>
        <translation>
            <numerusform>%n chat from {source}</numerusform>
            <numerusform>%n chats from {source}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelFiles</name>
    <message numerus="yes">
        <source>%n models were added.</source>
        <translation>
            <numerusform>%n model was added.</numerusform>
            <numerusform>%n models were added.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WalkSection</name>
    <message numerus="yes">
        <source>Show all %n keys</source>
        <translation>
            <numerusform>Show the only key</numerusform>
            <numerusform>Show all %n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show the %n strongest keys</source>
        <translation>
            <numerusform>Show the strongest key</numerusform>
            <numerusform>Show the %n strongest keys</numerusform>
        </translation>
    </message>
</context>
</TS>

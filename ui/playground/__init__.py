"""The playground: a text token by token, what comes next, and what the network makes of it."""

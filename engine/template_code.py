"""Python code for a template, with the guards that Jinja has no hooks for.

The code calls the environment's own `tick`, `emit`, `measure` and `joined`; see `engine.sandbox`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.parser import Parser
from typing_extensions import override


class GuardedCode(CodeGenerator):
    """Python code for a template, with the guards that Jinja has no hooks for."""

    @override
    def blockvisit(self, nodes: Iterable[nodes.Node], frame: Frame) -> None:
        if frame.loop_frame:
            self.writeline("environment.tick()")
        super().blockvisit(nodes, frame)

    @override
    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        static = sum(len(n.data) for n in node.nodes if isinstance(n, nodes.TemplateData))
        if static:
            self.writeline(f"environment.emit({static})")
        super().visit_Output(node, frame)

    @override
    def visit_List(self, node: nodes.List, frame: Frame) -> None:
        self._measured(super().visit_List, node, frame)

    @override
    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:
        self._measured(super().visit_Dict, node, frame)

    @override
    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:
        if node.ctx == "load":
            self._measured(super().visit_Tuple, node, frame)
        else:
            super().visit_Tuple(node, frame)

    @override
    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        if isinstance(node.arg, nodes.Slice):
            self._measured(super().visit_Getitem, node, frame)
        else:
            super().visit_Getitem(node, frame)

    @override
    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        self.write("(environment.tick() or ")
        super().visit_Compare(node, frame)
        self.write(")")

    @override
    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def _measured(
        self, visit: Callable[[Any, Frame], None], node: nodes.Node, frame: Frame
    ) -> None:
        self.write("environment.measure(")
        visit(node, frame)
        self.write(")")


class GenerationBlocks(Extension):
    """`{% generation %}` marks what a model wrote; for a prompt it changes nothing."""

    tags = {"generation"}  # noqa: RUF012 - Jinja's own declaration is not a ClassVar

    @override
    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body).set_lineno(line)

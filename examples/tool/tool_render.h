// sqt render: a contact sheet of a clip.
#ifndef TOOL_RENDER_H
#define TOOL_RENDER_H

/// The subcommand (see tool.h): writes a PNG of the clip at equally spaced instants, four to a row.
int tool_render(int argc, char **argv);

#endif

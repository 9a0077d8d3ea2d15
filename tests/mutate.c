// Seeded faults for mutate.sh.
//
//     mutate list SEED FILE...              every fault that can be made in these files, in the order to try them
//     mutate apply FILE OFFSET LENGTH TEXT  the file with LENGTH bytes at OFFSET replaced
//
// A line of the list: FILE, line, kind, OFFSET, LENGTH, TEXT, and the line of code before and after, with the character
// 31 (unit separator) between. The order is shuffled; within a file kinds take turns, and files take turns by the square
// root of what they have, so that rare kinds and short files get their share.
//
// It reads the code by its tokens and by how it is formatted: binary operators stand between spaces, pointers do not.
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct token {
    size_t at, length;
    char kind; ///< i: identifier, n: number, s: string or character, p: punctuator
} token;

typedef struct fault {
    const char *file;
    const char *code; ///< of the whole file
    const char *kind;
    size_t at, length;
    char *text;
    double turn;
} fault;

static fault *faults;
static size_t fault_count, fault_capacity;
static uint64_t random_state;

static void *must(void *memory) {
    if (memory) return memory;
    fputs("mutate: out of memory\n", stderr);
    exit(2);
}

static uint32_t draw(void) { // xorshift64*
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545F4914F6CDD1Dull) >> 32);
}

static char *read_file(const char *name) {
    FILE *const file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "mutate: cannot read %s\n", name);
        exit(2);
    }
    const long size = ftell(file);
    rewind(file);
    char *const code = must(malloc((size_t)size + 1));
    code[fread(code, 1, (size_t)size, file)] = 0;
    fclose(file);
    return code;
}

// ---- Tokens

static size_t skip_quoted(const char *code, size_t at) {
    const char quote = code[at++];
    while (code[at] && code[at] != quote) at += code[at] == '\\' && code[at + 1] ? 2 : 1;
    return code[at] ? at + 1 : at;
}

static size_t skip_line(const char *code, size_t at) { // a directive may go on behind a backslash
    while (code[at] && code[at] != '\n') at += code[at] == '\\' && code[at + 1] ? 2 : 1;
    return at;
}

static size_t punctuator_length(const char *at) {
    static const char *const known[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
                                        "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if (strncmp(at, known[i], strlen(known[i])) == 0) return strlen(known[i]);
    }
    return 1;
}

static size_t word_length(const char *at, bool number) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || (number && at[length] == '.') ||
           (number && (at[length] == '+' || at[length] == '-') && strchr("eEpP", at[length - 1]) &&
            !(at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && strchr("eE", at[length - 1])))) {
        ++length;
    }
    return length;
}

/// The tokens of the code, without comments and directives.
static size_t read_tokens(token *tokens, const char *code) {
    size_t count = 0, at = 0;
    bool line_begins = true;
    while (code[at]) {
        const char c = code[at];
        if (c == '\n') line_begins = true;
        if (isspace((unsigned char)c)) {
            ++at;
        } else if (c == '/' && code[at + 1] == '/') {
            at = skip_line(code, at);
        } else if (c == '/' && code[at + 1] == '*') {
            const char *const end = strstr(code + at + 2, "*/");
            at = end ? (size_t)(end + 2 - code) : strlen(code);
        } else if (c == '#' && line_begins) {
            at = skip_line(code, at);
        } else if (c == '"' || c == '\'') {
            const size_t end = skip_quoted(code, at);
            tokens[count++] = (token){at, end - at, 's'};
            at = end;
        } else {
            const bool number = isdigit((unsigned char)c) != 0, word = number || isalpha((unsigned char)c) || c == '_';
            const size_t length = word ? word_length(code + at, number) : punctuator_length(code + at);
            tokens[count++] = (token){at, length, number ? 'n' : word ? 'i' : 'p'};
            at += length;
            line_begins = false;
        }
    }
    return count;
}

typedef struct source {
    const char *file, *code;
    const token *tokens;
    size_t count;
} source;

static bool is(const source *s, size_t i, const char *text) {
    return i < s->count && s->tokens[i].length == strlen(text) &&
           strncmp(s->code + s->tokens[i].at, text, s->tokens[i].length) == 0;
}

static bool is_one_of(const source *s, size_t i, const char *const *texts) {
    for (; *texts; ++texts) {
        if (is(s, i, *texts)) return true;
    }
    return false;
}

static char kind_of(const source *s, size_t i) { return i < s->count ? s->tokens[i].kind : 0; }

static size_t end_of(const source *s, size_t i) { return s->tokens[i].at + s->tokens[i].length; }

/// The token behind the bracket that closes the one at i.
static size_t behind_bracket(const source *s, size_t i) {
    size_t depth = 0;
    for (; i < s->count; ++i) {
        if (is(s, i, "(") || is(s, i, "[") || is(s, i, "{")) ++depth;
        if ((is(s, i, ")") || is(s, i, "]") || is(s, i, "}")) && --depth == 0) return i + 1;
    }
    return i;
}

/// The first token from i on, at this depth of brackets, that is one of the texts or closes a bracket.
static size_t scan(const source *s, size_t i, const char *const *texts) {
    while (i < s->count && !is_one_of(s, i, texts) && !is(s, i, ")") && !is(s, i, "]") && !is(s, i, "}")) {
        i = is(s, i, "(") || is(s, i, "[") || is(s, i, "{") ? behind_bracket(s, i) : i + 1;
    }
    return i;
}

// ---- Faults

static char *copy_of(const char *from, size_t length) {
    char *const copy = must(malloc(length + 1));
    memcpy(copy, from, length);
    copy[length] = 0;
    return copy;
}

static void add_owned(const source *s, const char *kind, size_t at, size_t end, char *text) {
    if (strchr(text, '\n')) { // one line of the list
        free(text);
        return;
    }
    if (fault_count == fault_capacity) {
        fault_capacity = fault_capacity ? 2 * fault_capacity : 1024;
        faults = must(realloc(faults, fault_capacity * sizeof *faults));
    }
    faults[fault_count++] = (fault){s->file, s->code, kind, at, end - at, text, 0};
}

static void add(const source *s, const char *kind, size_t at, size_t end, const char *text) {
    add_owned(s, kind, at, end, copy_of(text, strlen(text)));
}

static bool between_spaces(const source *s, size_t i) {
    const size_t at = s->tokens[i].at;
    return at > 0 && isspace((unsigned char)s->code[at - 1]) && isspace((unsigned char)s->code[end_of(s, i)]);
}

static void operators(const source *s, size_t i) {
    static const char *const table[][3] = {
        {"+", "sign", "-"},        {"-", "sign", "+"},        {"+=", "sign", "-="},       {"-=", "sign", "+="},
        {"*", "operator", "/"},    {"/", "operator", "*"},    {"%", "operator", "/"},     {"*=", "operator", "/="},
        {"&", "operator", "|"},    {"|", "operator", "&"},    {"^", "operator", "&"},     {"<<", "operator", ">>"},
        {">>", "operator", "<<"},  {"|=", "operator", "&="},  {"&&", "operator", "||"},   {"||", "operator", "&&"},
        {"<", "comparison", "<="}, {"<", "comparison", ">"},  {"<=", "comparison", "<"},  {">", "comparison", ">="},
        {">", "comparison", "<"},  {">=", "comparison", ">"}, {"==", "comparison", "!="}, {"!=", "comparison", "=="},
    };
    if (kind_of(s, i) != 'p') return;
    const token t = s->tokens[i];
    if (between_spaces(s, i)) {
        for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
            if (is(s, i, table[k][0])) add(s, table[k][1], t.at, t.at + t.length, table[k][2]);
        }
    } else if (is(s, i, "-") || is(s, i, "!") || is(s, i, "~")) {
        add(s, "sign", t.at, t.at + 1, "");
    }
}

/// Drops a term of a sum, or of a chain of && or ||.
static void dropped_term(const source *s, size_t i) {
    static const char *const sum_ends[] = {"+", "-", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "?",
                                           ":", ";", ",", "|", "&",  "^",  "<<", ">>", "=",  NULL};
    static const char *const chain_ends[] = {"&&", "||", "?", ":", ";", ",", NULL};
    const bool sum = is(s, i, "+") || is(s, i, "-"), chain = is(s, i, "&&") || is(s, i, "||");
    if (!(sum || chain) || !between_spaces(s, i)) return;
    const size_t end = scan(s, is(s, i + 1, "-") ? i + 2 : i + 1, sum ? sum_ends : chain_ends);
    add(s, "dropped term", s->tokens[i].at - 1, end_of(s, end - 1), "");
}

static void numbers(const source *s, size_t i) {
    const token t = s->tokens[i];
    if (t.kind != 'n' || is(s, i - 1, "case")) return;
    char *const digits = copy_of(s->code + t.at, t.length);
    const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const bool real = strpbrk(digits, hex ? ".pP" : ".eE") != NULL;
    char text[128];
    if (real) {
        const bool single = !hex && strchr("fF", digits[t.length - 1]);
        const double value = strtod(digits, NULL);
        snprintf(text, sizeof text, value == 0 ? "1.0%s" : "(1.01%s * %s)", single ? "f" : "", digits);
        add(s, "constant", t.at, t.at + t.length, text);
    } else {
        char *suffix;
        const unsigned long long value = strtoull(digits, &suffix, 0);
        const bool large = !hex && value >= 100000; // one more or less may be below the rounding of what it divides
        snprintf(text, sizeof text, hex ? "0x%llX%s" : "%llu%s", large ? value + value / 100 : value + 1, suffix);
        add(s, large ? "constant" : "off by one", t.at, t.at + t.length, text);
        if (value > 0 && !large) {
            snprintf(text, sizeof text, hex ? "0x%llX%s" : "%llu%s", value - 1, suffix);
            add(s, "off by one", t.at, t.at + t.length, text);
        }
    }
    free(digits);
}

/// The next component of a vector, quaternion or pose block.
static void operands(const source *s, size_t i) {
    static const char *const table[][2] = {
        {"x", "y"},   {"y", "z"},   {"z", "x"},   {"w", "x"},   {"rx", "ry"}, {"ry", "rz"}, {"rz", "rx"}, {"rw", "rx"},
        {"tx", "ty"}, {"ty", "tz"}, {"tz", "tx"}, {"sx", "sy"}, {"sy", "sz"}, {"sz", "sx"}, {"a", "b"},   {"b", "a"}};
    const bool member = i > 0 && (is(s, i - 1, ".") || is(s, i - 1, "->"));
    for (size_t k = 0; kind_of(s, i) == 'i' && k < sizeof table / sizeof *table; ++k) {
        // a and b are arguments of most functions that mix; where they are declared nothing compiles, and that is seen.
        if (is(s, i, table[k][0]) && (member || k >= 14)) {
            add(s, "operand", s->tokens[i].at, end_of(s, i), table[k][1]);
        }
    }
}

/// Turns a condition round, or drops what it guards.
static void conditions(const source *s, size_t i) {
    if (!is(s, i, "if") || !is(s, i + 1, "(")) return;
    const size_t open = s->tokens[i + 1].at, end = behind_bracket(s, i + 1);
    const size_t close = end_of(s, end - 1);
    char *const inner = copy_of(s->code + open, close - open);
    char *const turned = must(malloc(close - open + 4));
    sprintf(turned, "(!%s)", inner);
    free(inner);
    add_owned(s, "condition", open, close, turned);
    add(s, "dropped check", open, close, "(0)");
}

/// Swaps two neighbours among the arguments of a call.
static void swapped_arguments(const source *s, size_t i) {
    static const char *const keywords[] = {"if", "for", "while", "switch", "return", "sizeof", "defined", NULL};
    static const char *const comma[] = {",", ";", NULL};
    if (kind_of(s, i) != 'i' || !is(s, i + 1, "(") || is_one_of(s, i, keywords)) return;
    size_t first = i + 2;
    for (;;) {
        const size_t first_end = scan(s, first, comma);
        if (!is(s, first_end, ",")) return;
        const size_t second = first_end + 1, second_end = scan(s, second, comma);
        if (second == second_end || first == first_end) return;
        // Two words in a row are a declaration.
        for (size_t k = first; k + 1 < second_end; ++k) {
            if (kind_of(s, k) == 'i' && kind_of(s, k + 1) == 'i') return;
        }
        const size_t at = s->tokens[first].at, end = end_of(s, second_end - 1);
        const size_t a = end_of(s, first_end - 1) - at, b = end - s->tokens[second].at;
        const char *const code = s->code + at;
        if (a != b || strncmp(code, s->code + s->tokens[second].at, a) != 0) {
            char *const text = must(malloc(a + b + 3));
            sprintf(text, "%.*s, %.*s", (int)b, s->code + s->tokens[second].at, (int)a, code);
            add_owned(s, "swapped arguments", at, end, text);
        }
        first = second;
    }
}

/// Drops an assignment or a call that stands alone, a continue or a break.
static void dropped_statement(const source *s, size_t i) { // outside of brackets
    static const char *const end[] = {";", NULL};
    static const char *const keywords[] = {
        "if",   "for",    "while", "switch", "return", "do", "else",   "case",   "default",        "typedef", "struct",
        "enum", "static", "const", "extern", "goto",   "FN", "KERNEL", "UNROLL", "_Static_assert", NULL};
    if (i == 0 || !(is(s, i - 1, ";") || is(s, i - 1, "{") || is(s, i - 1, "}") || is(s, i - 1, ")"))) return;
    if (is_one_of(s, i, keywords) || !(kind_of(s, i) == 'i' || is(s, i, "*") || is(s, i, "++"))) return;
    if (kind_of(s, i + 1) == 'i' || (is(s, i + 1, "*") && kind_of(s, i + 2) == 'i')) return; // a declaration
    const size_t semicolon = scan(s, i, end);
    if (is(s, semicolon, ";")) add(s, "dropped statement", s->tokens[i].at, s->tokens[semicolon].at, "");
}

static int by_turn(const void *a, const void *b) {
    const fault *const p = a, *const q = b;
    if (p->turn != q->turn) return p->turn < q->turn ? -1 : 1;
    int order = strcmp(p->file, q->file);
    if (!order) order = strcmp(p->kind, q->kind);
    if (!order) order = p->at < q->at ? -1 : p->at > q->at;
    return order ? order : strcmp(p->text, q->text);
}

/// Shuffles the faults of one file, then lets kinds take turns.
static void order_file(fault *list, size_t count) {
    for (size_t k = count; k > 1; --k) { // Fisher, Yates
        const size_t other = draw() % k;
        const fault moved = list[k - 1];
        list[k - 1] = list[other];
        list[other] = moved;
    }
    for (size_t k = 0; k < count; ++k) {
        size_t before = 0;
        for (size_t i = 0; i < k; ++i) before += strcmp(list[i].kind, list[k].kind) == 0;
        list[k].turn = (double)before + draw() / 4294967296.0;
    }
    qsort(list, count, sizeof *list, by_turn);
    const double phase = draw() / 4294967296.0;
    for (size_t k = 0; k < count; ++k) list[k].turn = ((double)k + phase) / sqrt((double)count);
}

static void find_faults(const char *file) {
    const char *const code = read_file(file);
    token *const tokens = must(malloc((strlen(code) + 1) * sizeof *tokens));
    const source s = {file, code, tokens, read_tokens(tokens, code)};
    const size_t first = fault_count;
    size_t depth = 0;
    for (size_t i = 0; i < s.count; ++i) {
        depth += is(&s, i, "(");
        depth -= is(&s, i, ")");
        if (is(&s, i, "_Static_assert")) i = behind_bracket(&s, i + 1);
        operators(&s, i);
        dropped_term(&s, i);
        if (i > 0) numbers(&s, i);
        operands(&s, i);
        conditions(&s, i);
        swapped_arguments(&s, i);
        if (depth == 0) dropped_statement(&s, i);
    }
    order_file(faults + first, fault_count - first);
    free(tokens);
}

/// A piece of code as one line, with single spaces.
static void print_code(const char *from, size_t length) {
    bool space = true;
    while (length > 0 && isspace((unsigned char)from[length - 1])) --length;
    for (size_t i = 0; i < length; ++i) {
        const bool white = isspace((unsigned char)from[i]) != 0;
        if (!white || !space) putchar(white ? ' ' : from[i]);
        space = white;
    }
}

static void print_fault(const fault *f) {
    const char *const at = f->code + f->at, *const behind = at + f->length;
    const char *begin = at, *end = behind;
    while (begin > f->code && begin[-1] != '\n') --begin;
    while (*end && *end != '\n') ++end;
    size_t line = 1;
    for (const char *c = f->code; c < at; ++c) line += *c == '\n';
    printf("%s\037%zu\037%s\037%zu\037%zu\037%s\037", f->file, line, f->kind, f->at, f->length, f->text);
    print_code(begin, (size_t)(end - begin));
    putchar('\037');
    const size_t before = (size_t)(at - begin), after = (size_t)(end - behind), text = strlen(f->text);
    char *const changed = must(malloc(before + text + after + 1));
    memcpy(changed, begin, before);
    memcpy(changed + before, f->text, text);
    memcpy(changed + before + text, behind, after);
    print_code(changed, before + text + after);
    putchar('\n');
    free(changed);
}

static int apply(const char *file, size_t at, size_t length, const char *text) {
    const char *const code = read_file(file);
    if (at > strlen(code) || length > strlen(code) - at) return 2;
    fwrite(code, 1, at, stdout);
    fputs(text, stdout);
    fputs(code + at + length, stdout);
    return ferror(stdout) ? 2 : 0;
}

int main(int argc, char **argv) {
    if (argc == 6 && strcmp(argv[1], "apply") == 0) {
        return apply(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), argv[5]);
    }
    if (argc < 4 || strcmp(argv[1], "list") != 0) {
        fputs("usage: mutate list SEED FILE... | apply FILE OFFSET LENGTH TEXT\n", stderr);
        return 2;
    }
    random_state = strtoull(argv[2], NULL, 10) * 2 + 1; // never 0
    for (int i = 0; i < 16; ++i) draw();
    for (int i = 3; i < argc; ++i) find_faults(argv[i]);
    qsort(faults, fault_count, sizeof *faults, by_turn);
    for (size_t i = 0; i < fault_count; ++i) print_fault(faults + i);
    return 0;
}

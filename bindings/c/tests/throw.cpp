// Callbacks that throw, which they must not: the program ends with a message of its own.
#include <fourbook.h>

#include <cstring>
#include <stdexcept>

namespace {

extern "C" int visit(const fourbook_position *, std::int8_t, void *) {
    throw std::runtime_error("visit");
}

extern "C" int tell(const char *, std::uint64_t, std::uint64_t, void *) {
    throw std::runtime_error("tell");
}

}  // namespace

int main(int count, char **arguments) {
    fourbook_book *book = nullptr;
    if (count != 2 || fourbook_book_embedded(0, 0, &book)) return 2;
    if (!std::strcmp(arguments[1], "visit")) {
        fourbook_book_positions(book, 2, visit, nullptr);
    } else {
        fourbook_generate_options options{};
        options.width = options.height = 4;
        fourbook_generate(arguments[1], &options, tell, nullptr, nullptr);
    }
    return 0;
}

// A beginner plays against the perfect player, and loses. Handles are freed by their owners,
// statuses become exceptions.
//
//     c++ -std=c++17 play.cpp $(pkg-config --cflags --libs fourbook) -o play
//     ./play 7
#include <fourbook.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

void check(fourbook_status status) {
    if (status != FOURBOOK_STATUS_OK) throw std::runtime_error(fourbook_last_error());
}

struct Free {
    void operator()(fourbook_oracle *oracle) const { fourbook_oracle_free(oracle); }
};
using Oracle = std::unique_ptr<fourbook_oracle, Free>;

Oracle open_oracle() {
    fourbook_oracle *oracle = nullptr;
    check(fourbook_oracle_new(nullptr, nullptr, &oracle));
    return Oracle(oracle);
}

fourbook_state state_of(const fourbook_position &position) {
    fourbook_state state{};
    check(fourbook_position_state(&position, &state));
    return state;
}

std::string text_of(const fourbook_position &position, const char *notation) {
    char text[256];
    std::size_t bytes = 0;
    check(fourbook_position_to_text(&position, notation, text, sizeof text, &bytes));
    return bytes <= sizeof text ? text : "(too long)";
}

}  // namespace

int main(int count, char **arguments) try {
    const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    const Oracle oracle = open_oracle();
    fourbook_position position;
    check(fourbook_position_empty(7, 6, &position));
    std::string moves;
    while (!state_of(position).over) {
        const char *level = state_of(position).to_move == 1 ? "perfect" : "beginner";
        std::uint32_t column = 0;
        check(fourbook_oracle_choose_move(oracle.get(), &position, level, seed, nullptr, &column));
        check(fourbook_position_play(&position, column, &position));
        moves += static_cast<char>('1' + column);
    }
    std::cout << moves << '\n' << text_of(position, "diagram") << '\n';
    std::cout << "player " << int(state_of(position).winner) << " wins\n";
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}

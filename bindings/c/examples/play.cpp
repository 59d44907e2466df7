// A beginner plays against the perfect player, and loses.
//
//     c++ -std=c++17 play.cpp $(pkg-config --cflags --libs fourbook) -o play
//     ./play 7
#include <fourbook.hpp>

#include <cstdlib>
#include <iostream>

int main(int count, char **arguments) try {
    const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    const auto oracle = fourbook::make<fourbook_oracle>(fourbook_oracle_new, nullptr, nullptr);
    auto position = fourbook::get<fourbook_position>(fourbook_position_empty, 7, 6);
    auto state = fourbook::get<fourbook_state>(fourbook_position_state, &position);
    std::string moves;
    while (!state.over) {
        const char *level = state.to_move == 1 ? "perfect" : "beginner";
        auto column = fourbook::get<std::uint32_t>(fourbook_oracle_choose_move, oracle.get(),
                                                   &position, level, seed, nullptr);
        position = fourbook::play(position, column);
        state = fourbook::get<fourbook_state>(fourbook_position_state, &position);
        moves += static_cast<char>('1' + column);
    }
    std::cout << moves << '\n' << fourbook::text(position, "diagram") << '\n';
    std::cout << "player " << int(state.winner) << " wins\n";
} catch (const fourbook::error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}

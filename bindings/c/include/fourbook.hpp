/** @file
 * fourbook for C++17: owners of handles, and exceptions instead of statuses. Every function of
 * fourbook.h is called by `fourbook::get`, `fourbook::make` or `fourbook::check`:
 *
 *     auto oracle = fourbook::make<fourbook_oracle>(fourbook_oracle_new, nullptr, nullptr);
 *     auto position = fourbook::get<fourbook_position>(fourbook_position_parse, 7, 6, "4453");
 *     auto score = fourbook::get<int8_t>(fourbook_oracle_score, oracle.get(), &position, nullptr);
 */
#ifndef FOURBOOK_HPP
#define FOURBOOK_HPP

#include "fourbook.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace fourbook {

/** A call that did not end well: its status, and the text of fourbook_last_error. */
class error : public std::runtime_error {
  public:
    explicit error(fourbook_status status)
        : std::runtime_error(fourbook_last_error()), status_(status) {}
    fourbook_status status() const noexcept { return status_; }

  private:
    fourbook_status status_;
};

/** Throws the error of a call, if there is one. */
inline void check(fourbook_status status) {
    if (status != FOURBOOK_STATUS_OK) throw error(status);
}

/** Frees handles. */
struct deleter {
    void operator()(fourbook_book *book) const noexcept { fourbook_book_free(book); }
    void operator()(fourbook_cancel *cancel) const noexcept { fourbook_cancel_free(cancel); }
    void operator()(fourbook_oracle *oracle) const noexcept { fourbook_oracle_free(oracle); }
    void operator()(fourbook_query *query) const noexcept { fourbook_query_free(query); }
};

/** The owner of a handle, such as `owner<fourbook_oracle>`. */
template <typename Handle>
using owner = std::unique_ptr<Handle, deleter>;

/** Calls a function with these arguments, and returns what it writes to its last one. */
template <typename Result, typename... Parameters, typename... Arguments>
Result get(fourbook_status (*function)(Parameters...), Arguments &&...arguments) {
    Result result{};
    check(function(std::forward<Arguments>(arguments)..., &result));
    return result;
}

/** Calls a function that makes a handle, and owns it. */
template <typename Handle, typename... Parameters, typename... Arguments>
owner<Handle> make(fourbook_status (*function)(Parameters...), Arguments &&...arguments) {
    return owner<Handle>(get<Handle *>(function, std::forward<Arguments>(arguments)...));
}

/** The position after a stone in a column, from 0. */
inline fourbook_position play(const fourbook_position &position, std::uint32_t column) {
    return get<fourbook_position>(fourbook_position_play, &position, column);
}

/** A position in a notation, such as `diagram`. */
inline std::string text(const fourbook_position &position, const char *notation) {
    auto bytes = get<std::size_t>(fourbook_position_to_text, &position, notation, nullptr, 0);
    std::string text(bytes, '\0');
    check(fourbook_position_to_text(&position, notation, text.data(), bytes, &bytes));
    text.pop_back();
    return text;
}

/** Works on a query. Returns whether its answer is complete; if not, a limit ended the step. */
inline bool step(const owner<fourbook_query> &query, const fourbook_limits &limits = {}) {
    fourbook_status status = fourbook_query_step(query.get(), &limits);
    switch (status) {
        case FOURBOOK_STATUS_NODE_BUDGET:
        case FOURBOOK_STATUS_DEADLINE:
        case FOURBOOK_STATUS_CANCELLED: return false;
        default: check(status); return true;
    }
}

}  // namespace fourbook

#endif

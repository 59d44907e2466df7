/** Where answers come from: a server, or the package beside the page. `fourbook page` writes "local". */
export const hosting = "server";
/** The bytes of the package's large files; `fourbook page` writes them. */
export const bytes = {};

//! Sets `unoptimised` if the compiler does not optimise. Functions with many variables are not inlined
//! into the search then, where each ply would have them on the stack.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimised");
    }
}

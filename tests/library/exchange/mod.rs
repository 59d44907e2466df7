//! Books of other programs: there and back again, compared, damaged and refused.

mod bitbully;
mod csv;
mod damage;
mod foreign;
mod pons;
mod round_trip;
mod tools;

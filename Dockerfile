# The program on an empty file system: for clusters, and as a lookup daemon.
#
#   docker build --tag fourbook .
#   docker run --rm --publish 127.0.0.1:8080:8080 fourbook
#   docker run --rm --volume "$PWD:/data" --user "$(id -u)" fourbook generate --depth 8
FROM rust:1.89-slim-bookworm AS build
WORKDIR /source
COPY . .
# Linked statically, the C library too, so the image needs only the program and the certificates for
# object stores. With an explicit target, the flag does not apply to programs that run during the
# build.
RUN target="$(uname -m)-unknown-linux-gnu" \
    && RUSTFLAGS="-C target-feature=+crt-static" \
       cargo build --locked --release --bin fourbook --features fourbook-cli/object-store \
       --target "$target" \
    && mkdir -p /root-of-image/data /root-of-image/etc/ssl/certs \
    && cp /etc/ssl/certs/ca-certificates.crt /root-of-image/etc/ssl/certs/ \
    && cp "target/$target/release/fourbook" /root-of-image/

FROM scratch
COPY --from=build --chown=65532:65532 /root-of-image /
USER 65532:65532
# Books that are made without a path are written here.
WORKDIR /data
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/fourbook"]
CMD ["serve", "--bind", "0.0.0.0:8080"]

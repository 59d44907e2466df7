# The program with rclone and deploy/solve-shard: for clusters, and as a lookup daemon.
#
#   docker build --tag fourbook .
#   docker run --rm --publish 127.0.0.1:8080:8080 fourbook
#   docker run --rm --volume "$PWD:/data" --user "$(id -u)" fourbook generate --depth 8
FROM rust:1.89-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo build --locked --release --bin fourbook

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates rclone \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner 65532 --group 65532 /data
COPY --from=build /source/target/release/fourbook /source/deploy/solve-shard /usr/local/bin/
USER 65532:65532
# Books that are made without a path are written here.
WORKDIR /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=10s CMD ["fourbook", "health"]
ENTRYPOINT ["fourbook"]
CMD ["serve", "--bind", "0.0.0.0:8080"]

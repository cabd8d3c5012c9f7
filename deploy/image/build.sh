#!/bin/sh
# Makes an OCI image of the installation that this file is part of: build.sh <file.tar>. By root, on Debian 13 with mmdebstrap, after
# "npm ci && npm prune --omit=dev". Asks Debian's servers and nobody else.
set -eu
out=$(realpath "$1")
program=$(realpath "$(dirname "$0")/../..")
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$program/package.json")
work=$(mktemp -d /var/tmp/purser-image-XXXXXX)
trap 'rm -rf "$work"' EXIT
blobs=$work/image/blobs/sha256
mkdir -p "$blobs"

# What Node, PostgreSQL and the development chain are linked against, and who may be trusted.
# mmdebstrap parts its own mounts from those of systemd for good: without a namespace no service of this machine would get its secrets any more.
unshare --mount mmdebstrap --quiet --variant=minbase --include=ca-certificates,libatomic1,libstdc++6,util-linux trixie "$work/root"
rm -rf "$work"/root/var/cache/apt/* "$work"/root/var/lib/apt/lists/* "$work"/root/var/log/*
mkdir -p "$work/root/opt/purser"
tar -C "$program" --exclude=./.git --exclude=./data --exclude=./.env -cf - . | tar -C "$work/root/opt/purser" -xf -
chown -R 0:0 "$work/root/opt/purser"
echo purser:x:10001:10001::/var/lib/purser:/usr/sbin/nologin >> "$work/root/etc/passwd"
echo purser:x:10001: >> "$work/root/etc/group"
install -d -o 10001 -g 10001 -m 700 "$work/root/var/lib/purser"

# The same files make the same layer.
tar -C "$work/root" --sort=name --mtime=@0 --numeric-owner -cf "$work/layer.tar" .
diff_id=$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)
gzip -n "$work/layer.tar"

# Prints the descriptor of a file, which becomes a blob.
blob() {
  digest=$(sha256sum "$2" | cut -d ' ' -f 1)
  size=$(stat -c %s "$2")
  mv "$2" "$blobs/$digest"
  echo "{\"mediaType\":\"application/vnd.oci.image.$1\",\"digest\":\"sha256:$digest\",\"size\":$size}"
}
layer=$(blob layer.v1.tar+gzip "$work/layer.tar.gz")
cat > "$work/config" <<END
{
  "architecture": "$(dpkg --print-architecture)",
  "os": "linux",
  "config": {
    "User": "10001:10001",
    "WorkingDir": "/var/lib/purser",
    "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/var/lib/purser", "HOST=0.0.0.0", "PURSER_DATA_DIR=/var/lib/purser/data"],
    "Entrypoint": ["/opt/purser/node_modules/node/bin/node", "--no-memory-reducer", "--no-flush-bytecode", "/opt/purser/packages/service/src/main.ts"],
    "Cmd": ["start"],
    "ExposedPorts": {"4021/tcp": {}},
    "Volumes": {"/var/lib/purser": {}},
    "StopSignal": "SIGTERM",
    "Labels": {"org.opencontainers.image.title": "purser", "org.opencontainers.image.version": "$version", "org.opencontainers.image.licenses": "Apache-2.0"}
  },
  "rootfs": {"type": "layers", "diff_ids": ["sha256:$diff_id"]}
}
END
config=$(blob config.v1+json "$work/config")
echo "{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"config\":$config,\"layers\":[$layer]}" > "$work/manifest"
manifest=$(blob manifest.v1+json "$work/manifest")
named=$(echo "$manifest" | sed "s|}\$|,\"annotations\":{\"org.opencontainers.image.ref.name\":\"localhost/purser:$version\"}}|")
echo "{\"schemaVersion\":2,\"manifests\":[$named]}" > "$work/image/index.json"
echo '{"imageLayoutVersion":"1.0.0"}' > "$work/image/oci-layout"
tar -C "$work/image" -cf "$out" oci-layout index.json blobs
echo "localhost/purser:$version is in $out."

#!/usr/bin/env bash
# Builds what is in the npm package beside the sources, as dist/: JavaScript with declarations and source maps, the
# scripts of nodes, the schemas of the stack config, of a preview and of the plugin, and a bill of materials (CycloneDX)
# of what the package needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rm -rf dist
npx tsc -p tsconfig.build.json
cp -R --parents components/remote/scripts components/plan/metadata-service.sh dist
node dist/automation/main.js schema >dist/schema.json
node dist/automation/main.js schema preview >dist/preview.schema.json
node -p 'JSON.stringify(require("./dist/components/provider/schema").packageSchema(require("./package.json")), null, 2)' \
  >dist/pulumi-schema.json

# npm leaves out of it whatever a development dependency needs as well: so it is made without them, of a copy. The name
# of its folder is in it as the package's.
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/vnfm"
cp package.json package-lock.json "$temporary/vnfm"
(
  cd "$temporary/vnfm"
  npm pkg delete devDependencies scripts
  npm install --silent --package-lock-only --offline --ignore-scripts
  npm sbom --package-lock-only --sbom-format=cyclonedx
) >"$temporary/sbom"
mv "$temporary/sbom" dist/sbom.cdx.json

import { saveRelease } from "../test/reliability/upgrade/release/save-release.ts";

// npm run release:save [-- <commit>]: saves a release, by default the last commit, as the start of later upgrade tests.

const { version, bytes } = await saveRelease(process.argv[2] ?? "HEAD");
process.stdout.write(`release ${version} is saved: ${Math.ceil(bytes / 1024)} KB\n`);

import { saveRelease } from "../test/upgrade/release/save-release.ts";

// npm run release:save [-- <commit>]: saves a release, the last commit unless another is named, for the next one to be upgraded from.

const { version, bytes } = await saveRelease(process.argv[2] ?? "HEAD");
process.stdout.write(`release ${version} is saved: ${Math.ceil(bytes / 1024)} KB\n`);

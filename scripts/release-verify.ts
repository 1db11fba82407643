import { resolve } from "node:path";
import { packVerify } from "../libs/verify/build/pack-verify.ts";

// npm run release:verify [-- <folder>]: packs @latchkey/verify for applications to install, by default into dist/.

const path = await packVerify(resolve(process.argv[2] ?? "dist"));
if (path === undefined) process.exitCode = 1;
else process.stdout.write(`npm install ${path}\n`);

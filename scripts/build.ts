import { buildAdminWeb } from "./admin-web/build-admin-web.ts";
import { buildVerify } from "./verify/pack-verify.ts";

// npm run build [-- admin-web | verify]: builds the admin web and @latchkey/verify, or one of them. Nothing else needs a build.

const parts = { "admin-web": buildAdminWeb, verify: buildVerify };
const names = process.argv.slice(2);
for (const [name, build] of Object.entries(parts))
  if ((names.length === 0 || names.includes(name)) && !(await build())) process.exitCode = 1;

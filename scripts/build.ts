import { buildAdminWeb } from "./admin-web/build-admin-web.ts";

// npm run build: the admin web, which is the only part that is not run as it is.

if (!(await buildAdminWeb())) process.exitCode = 1;

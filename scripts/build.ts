// npm run build [-- admin-web | verify]: builds the admin web and @latchkey/verify, or one of them. Nothing else needs a build.

// Loads only what it builds, because the image has no @latchkey/verify.
const parts = {
  "admin-web": async () =>
    (await import("../apps/admin-web/build/build-admin-web.ts")).buildAdminWeb(),
  verify: async () => (await import("../libs/verify/build/pack-verify.ts")).buildVerify(),
};
const names = process.argv.slice(2);
for (const [name, build] of Object.entries(parts))
  if ((names.length === 0 || names.includes(name)) && !(await build())) process.exitCode = 1;

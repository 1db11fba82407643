// npm run build [-- admin-web]: builds the admin web. Nothing else needs a build to run. `npm run release:libs` builds the libraries for
// applications, with tools that an installation without development packages does not have.

const parts = {
  "admin-web": async () =>
    (await import("../apps/admin-web/build/build-admin-web.ts")).buildAdminWeb(),
};
const names = process.argv.slice(2);
for (const [name, build] of Object.entries(parts))
  if ((names.length === 0 || names.includes(name)) && !(await build())) process.exitCode = 1;

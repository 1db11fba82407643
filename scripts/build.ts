// npm run build [-- admin-web | server | react]: builds the admin web and the libraries for applications, or one of them. Nothing else
// needs a build.

// Loads only what it builds, because the image has none of the libraries.
const buildLibrary = async (name: "server" | "react") =>
  (await import("./pack-library.ts")).buildLibrary(name);
const parts = {
  "admin-web": async () =>
    (await import("../apps/admin-web/build/build-admin-web.ts")).buildAdminWeb(),
  server: () => buildLibrary("server"),
  react: () => buildLibrary("react"),
};
const names = process.argv.slice(2);
for (const [name, build] of Object.entries(parts))
  if ((names.length === 0 || names.includes(name)) && !(await build())) process.exitCode = 1;

import { buildWeb, webNames } from "../libs/ui/build/build-webs.ts";

// npm run build [-- admin account]: builds the webs. Nothing else needs a build to run. `npm run release:libs` builds the libraries for
// applications, with tools that an installation without development packages does not have.

const names = process.argv.slice(2);
for (const web of webNames)
  if ((names.length === 0 || names.includes(web)) && !(await buildWeb(web))) process.exitCode = 1;

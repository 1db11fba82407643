import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packLibrary } from "../../scripts/pack-library.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const tools = join(root, "node_modules", ".bin");

let folder: string;
let application: string;
let installed: string;

/** Runs a program in the application with the system's tools only, without this process's environment. */
const runProgram = (program: string, args: string[]) =>
  run(program, args, {
    cwd: application,
    env: { PATH: `${tools}:${process.env["PATH"]}`, HOME: folder },
  });

/** Installs the package in a separate application. React comes from the system. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-react-"));
  application = join(folder, "application");
  await mkdir(application);
  await writeFile(join(application, "package.json"), '{ "type": "module" }');
  const archive = await packLibrary("react", folder);
  await runProgram("npm", ["install", "--offline", "--legacy-peer-deps", archive ?? ""]);
  const modules = join(application, "node_modules");
  installed = join(modules, "@latchkey", "react");
  await mkdir(join(modules, "@types"));
  for (const name of ["react", "react-dom", "@types/react", "@types/react-dom", "csstype"])
    await symlink(join(root, "node_modules", name), join(modules, name));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the package contains its build and its stylesheet but no tests, and is publishable", async () => {
  expect(await readdir(installed)).toEqual(["README.md", "dist", "package.json"]);
  const built = await readdir(join(installed, "dist"), { recursive: true });
  expect(built).toEqual(expect.arrayContaining(["index.js", "index.d.ts", "styles.css"]));
  const expected = /^[a-z-]+(?:\/[a-z-]+)?(?:\.d\.ts|\.js|\.css)?$/;
  expect(built.filter((name) => !expected.test(name))).toEqual([]);
  const own = JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as object;
  expect(own).not.toHaveProperty("dependencies");
  expect(own).not.toHaveProperty("private");
  expect(own).toMatchObject({
    peerDependencies: { react: ">=18" },
    publishConfig: { access: "public" },
    sideEffects: ["*.css"],
  });
});

/** React server components refuse a module with hooks that is not marked. */
test("every module with a hook or a component is marked for the browser", async () => {
  const dist = join(installed, "dist");
  const unmarked: string[] = [];
  for (const name of await readdir(dist, { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const text = await readFile(join(dist, name), "utf8");
    const isMarked = text.startsWith('"use client";');
    if (/from "react/.test(text) !== isMarked && !name.includes("use-user")) unmarked.push(name);
  }
  expect(unmarked).toEqual([]);
});

test("a separate application renders it on the server, with types that need none of Node", async () => {
  await writeFile(
    join(application, "main.tsx"),
    `import {
      LatchkeyProvider,
      OrganizationSwitcher,
      type SessionState,
      SignedIn,
      SignedOut,
      SignInButton,
      UserButton,
      useOrganization,
      useSession,
      useUser,
    } from "@latchkey/react";
    import { renderToString } from "react-dom/server";

    const says = (state: SessionState): string => {
      switch (state.status) {
        case "signed-in":
          return state.user.email;
        case "error":
          return state.error.message;
        default:
          return state.status;
      }
    };
    const Facts = () => {
      const plan: string | undefined = useUser<{ plan: string }>()?.plan;
      const { organization } = useOrganization();
      return <p title={plan}>{says(useSession())} {organization?.name}</p>;
    };
    // @ts-expect-error the provider needs a URL
    export const wrong = <LatchkeyProvider />;
    export const html = renderToString(
      <LatchkeyProvider url="https://auth.example.com/api/auth" initialSession={null}>
        <SignedIn><UserButton labels={{ signOut: "Log out" }} /><OrganizationSwitcher hidePersonal /></SignedIn>
        <SignedOut><SignInButton className="big">Log in</SignInButton></SignedOut>
        <Facts />
      </LatchkeyProvider>,
    );
    `,
  );
  await writeFile(join(application, "style.ts"), 'import "@latchkey/react/styles.css";');
  await writeFile(
    join(application, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        lib: ["es2022", "dom", "dom.iterable"],
        jsx: "react-jsx",
        types: [],
        strict: true,
        skipLibCheck: false,
        outDir: "built",
        rootDir: ".",
      },
      files: ["main.tsx", "style.ts"],
    }),
  );
  await runProgram("tsc", []);
  const print = 'import { html } from "./built/main.js"; process.stdout.write(html);';
  const { stdout } = await runProgram(process.execPath, ["--input-type=module", "-e", print]);
  expect(stdout).toBe(
    '<a data-latchkey="sign-in-button" class="latchkey-sign-in-button big" href="https://auth.example.com/account/sign-in">Log in</a><p>signed-out<!-- --> </p>',
  );
});

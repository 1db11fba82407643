import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, cp, mkdir } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Instruction, Stage } from "./parse-dockerfile.ts";

/** The input of a build. */
export interface Build {
  stages: readonly Stage[];
  /** The folder of the sources and the files of the build context. */
  root: string;
  context: readonly string[];
  /** An empty folder. Each stage gets a folder in it as its file system. */
  directory: string;
}

/** An image that was built in a folder. */
export interface Replayed {
  /** The folder that is its root. */
  root: string;
  environment: Readonly<Record<string, string>>;
  workingDirectory: string;
  /** As in `USER`: `1000:1000`. */
  user: string;
  entrypoint: readonly string[];
  healthcheck: readonly string[];
}

const nameOf = ({ keyword, text }: Instruction) => `${keyword} ${text}`;

/** The paths of an image that commands name. The base image is missing and would only add Node. */
const places = /(^|[\s"'=>])\/(opt|etc|usr|var)\//g;

/** Returns the path in the folder for a path of the image. */
export const placeIn = (root: string, text: string): string =>
  text.replaceAll(places, (_, before: string, place: string) => `${before}${root}/${place}/`);

const openBase = async (root: string): Promise<Replayed> => {
  const node = join(root, "usr/local/bin/node");
  await mkdir(dirname(node), { recursive: true });
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  const environment = { PATH: `${root}/usr/local/bin${delimiter}/usr/bin${delimiter}/bin` };
  return { root, environment, workingDirectory: "/", user: "", entrypoint: [], healthcheck: [] };
};

const run = async (image: Replayed, command: string): Promise<void> => {
  const { HOME = "/root", PATH = "" } = process.env;
  const child = spawn("sh", ["-euc", placeIn(image.root, command)], {
    cwd: join(image.root, image.workingDirectory),
    env: {
      ...image.environment,
      // npm is this machine's, with its settings, and uses only its cache.
      HOME,
      PATH: `${image.environment["PATH"]}${delimiter}${PATH}`,
      npm_config_prefer_offline: "true",
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`RUN ${command}: exit code ${code}`);
};

const copyFromStage = async (from: string, image: Replayed, words: readonly string[]) => {
  const [source = "", target = ""] = words;
  const place = join(image.root, resolve(image.workingDirectory, target));
  await cp(join(from, source), place, { recursive: true, verbatimSymlinks: true });
};

/** Returns the context files that a source of `COPY` names, with their paths below the target. */
const filesOf = (context: readonly string[], source: string): [from: string, to: string][] => {
  if (context.includes(source)) return [[source, source.split("/").at(-1) ?? source]];
  const inside = context.filter((path) => path.startsWith(`${source}/`));
  return inside.map((path) => [path, path.slice(source.length + 1)]);
};

const copyFromContext = async (build: Build, image: Replayed, words: readonly string[]) => {
  const target = words.at(-1) ?? "";
  for (const source of words.slice(0, -1)) {
    const files = filesOf(build.context, source);
    if (files.length === 0) throw new Error(`COPY ${source}: the build is not given any of it`);
    for (const [from, to] of files) {
      const place = join(image.root, resolve(image.workingDirectory, target), to);
      await mkdir(dirname(place), { recursive: true });
      await cp(join(build.root, from), place);
    }
  }
};

/** Applies an instruction to the files or to the settings of an image. */
const perform = async (
  instruction: Instruction,
  image: Replayed,
  { build, made }: { build: Build; made: ReadonlyMap<string, Replayed> },
): Promise<Replayed> => {
  const { keyword, flags, text, words } = instruction;
  switch (keyword) {
    case "WORKDIR": {
      const workingDirectory = resolve(image.workingDirectory, text);
      await mkdir(join(image.root, workingDirectory), { recursive: true });
      return { ...image, workingDirectory };
    }
    case "COPY": {
      const from = flags["from"] === undefined ? undefined : made.get(flags["from"]);
      await (from ? copyFromStage(from.root, image, words) : copyFromContext(build, image, words));
      return image;
    }
    case "RUN":
      await run(image, text);
      return image;
    case "ENV": {
      const [name = "", value = ""] = text.split("=");
      return { ...image, environment: { ...image.environment, [name]: value } };
    }
    case "USER":
      return { ...image, user: text };
    case "ENTRYPOINT":
      return { ...image, entrypoint: words };
    case "HEALTHCHECK":
      return { ...image, healthcheck: JSON.parse(text.slice(text.indexOf("["))) as string[] };
    case "ARG":
    case "EXPOSE":
    case "LABEL":
    case "STOPSIGNAL":
      return image;
    default:
      throw new Error(`${nameOf(instruction)} is not understood here`);
  }
};

/** Builds a Dockerfile in plain folders. Returns the result of its last stage. */
export const replayImage = async (build: Build): Promise<Replayed> => {
  const made = new Map<string, Replayed>();
  for (const { name, from, instructions } of build.stages) {
    const root = join(build.directory, name);
    const before = made.get(from);
    if (before) await cp(before.root, root, { recursive: true, verbatimSymlinks: true });
    let image = before ? { ...before, root } : await openBase(root);
    image.environment = { ...image.environment, PATH: `${root}/usr/local/bin:/usr/bin:/bin` };
    for (const instruction of instructions) {
      process.stdout.write(`${name}: ${nameOf(instruction).slice(0, 100)}\n`);
      image = await perform(instruction, image, { build, made });
    }
    made.set(name, image);
  }
  const last = made.get(build.stages.at(-1)?.name ?? "");
  if (!last) throw new Error("the Dockerfile has no stage");
  return last;
};

import type { Profiler } from "node:inspector";

const functionsMax = 60;

/** Returns the part of the system, or the package, that a frame's file belongs to. */
const partOf = ({ url, functionName }: Profiler.ProfileNode["callFrame"]): string => {
  const packageName = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (packageName) return packageName;
  const own = /\/((?:libs|services|test|scripts)\/[^/]+)\//.exec(url)?.[1];
  if (own) return own;
  if (url.startsWith("node:")) return url.split("/").slice(0, 2).join("/");
  return functionName.startsWith("(") ? functionName : "native";
};

const selfTimes = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, { part: string; microseconds: number }>();
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    // The profiler itself takes time at its start and end.
    const isOthers = frame?.functionName === "(idle)" || frame?.url === "node:inspector";
    if (!frame || isOthers) continue;
    const file = frame.url.split("/").slice(-2).join("/");
    const part = partOf(frame);
    const label = `${part}  ${frame.functionName || "(anonymous)"}  ${file}:${frame.lineNumber + 1}`;
    const entry = byFunction.get(label) ?? { part, microseconds: 0 };
    entry.microseconds += timeDeltas[index] ?? 0;
    byFunction.set(label, entry);
  }
  return byFunction;
};

const ranked = (times: ReadonlyMap<string, number>): string[] => {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, functionsMax)
    .map(([name, time]) => `  ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`);
};

const functionsOf = (json: string): Map<string, number> =>
  new Map(
    [...selfTimes(JSON.parse(json) as Profiler.Profile)].map(([label, { microseconds }]) => [
      label,
      microseconds,
    ]),
  );

/** Returns the functions with the most self time of a V8 CPU profile. */
export const topFunctions = (json: string, count: number): string[] =>
  ranked(functionsOf(json)).slice(0, count);

/** Summarizes self time of a V8 CPU profile by part and function, idle time separately. */
export const summarizeProfile = (json: string): string => {
  const byPart = new Map<string, number>();
  for (const { part, microseconds } of selfTimes(JSON.parse(json) as Profiler.Profile).values())
    byPart.set(part, (byPart.get(part) ?? 0) + microseconds);
  return ["by part", ...ranked(byPart), "by function", ...ranked(functionsOf(json))].join("\n");
};

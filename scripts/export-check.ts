import { measureMemory } from "../test/export/measure-memory.ts";

// npm run export:check [-- <people>]: exports and imports a small installation and a large one, of 100,000 users by default. Fails if the
// large one takes noticeably more memory.

const few = 1_000;
const manyUnlessSaid = 100_000;
/** Allows for garbage that is not collected yet. */
const moreMebibytesMax = 96;

const many = Number(process.argv[2] ?? manyUnlessSaid);
if (!Number.isSafeInteger(many) || many <= few) throw new TypeError(`more people than ${few}`);
const measured = await measureMemory([few, many]);
console.table(
  measured.map(({ peakMebibytes, seconds, fileMebibytes, ...of }) => ({
    ...of,
    "file, MiB": fileMebibytes.toFixed(1),
    "peak memory, MiB": peakMebibytes.toFixed(0),
    seconds: seconds.toFixed(1),
  })),
);
const growths = ["export all", "import latchkey"].map((command) => {
  const peaks = measured
    .filter((one) => one.command === command)
    .map(({ peakMebibytes }) => peakMebibytes);
  return (peaks[1] ?? 0) - (peaks[0] ?? 0);
});
const isFlat = growths.every((growth) => growth <= moreMebibytesMax);
console.log(isFlat ? "Memory is flat." : `Memory grew by ${growths.join(" and ")} MiB.`);
process.exitCode = isFlat ? 0 : 1;

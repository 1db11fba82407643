import { readFileSync } from "node:fs";
import { join } from "node:path";

// Preloaded into every process of a storm: shifts what it takes for the time by so many milliseconds as a file named after it says.
// Timers go on as they were, as after a jump of a machine's clock.

const lookMilliseconds = 100;
const file = join(process.env["CLOCK_FOLDER"] ?? "", String(process.pid));
const RealDate = Date;
const realNow = Date.now;
let shift = 0;

const look = () => {
  try {
    shift = Number(readFileSync(file, "utf8"));
  } catch {
    shift = 0; // nobody has shifted it
  }
};
setInterval(look, lookMilliseconds).unref();

RealDate.now = () => realNow() + shift;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now()] : given, newTarget) as Date,
});

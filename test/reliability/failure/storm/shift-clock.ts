import { readFileSync } from "node:fs";
import { join } from "node:path";

// Preloaded into every process of a storm. Shifts its clock by the milliseconds in a file. Timers are not affected, as after a
// jump of the machine's clock.

const lookMilliseconds = 100;
const file = join(process.env["CLOCK_FOLDER"] ?? "", String(process.pid));
const RealDate = Date;
const realNow = Date.now;
let shift = 0;

const look = () => {
  try {
    shift = Number(readFileSync(file, "utf8"));
  } catch {
    shift = 0; // not shifted
  }
};
setInterval(look, lookMilliseconds).unref();

RealDate.now = () => realNow() + shift;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now()] : given, newTarget) as Date,
});

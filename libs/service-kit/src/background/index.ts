export { createWake, type Wake } from "./create-wake.ts";
export { type Background, every } from "./every.ts";

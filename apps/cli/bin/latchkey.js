#!/usr/bin/env node
import { launch } from "./launch.js";

// npx latchkey

await launch("apps/cli/src/latchkey.ts");

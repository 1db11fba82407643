import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { serveRate } from "../harness/serve-rate.ts";

// Password hashes.

const keyBytes = 64;
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);
const salt = randomBytes(16);

serveRate(() => derive("correct horse", salt, keyBytes, cost));

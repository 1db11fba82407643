import { generateKeyPairSync, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import { serveRate } from "../harness/serve-rate.ts";

// ES256 signature checks.

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
/** About as long as the signed bytes of an assertion. */
const signed = Buffer.alloc(69, 1);
const signature = sign("sha256", signed, privateKey);
const check = promisify(verify);

serveRate(() => check("sha256", signed, publicKey, signature));

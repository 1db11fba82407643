// The first script of the page. It is small, so that it arrives long before the rest, and starts what the first screen needs.
import "./styles.css";
import { startEarlyReads } from "./access/early-reads.ts";
import { readsOfPlace } from "./routes/reads-of-place.ts";

startEarlyReads(readsOfPlace());
void import("./main.tsx");

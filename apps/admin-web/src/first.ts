// The first script of the page. It is small, so that it arrives long before the rest, and starts what the first screen needs.
import "./styles.css";
import { startEarlyReads } from "./access/early-reads.ts";
import { readsOfPlace } from "./routes/reads-of-place.ts";
import { loadTexts, startLanguage } from "./texts.ts";

startLanguage();
startEarlyReads(readsOfPlace());
// Modules read their texts when they load.
const start = () => import("./main.tsx");
void loadTexts().then(start, start);

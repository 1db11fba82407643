// The first script of the page. It is small, so that it arrives long before the rest, and starts what the first screen needs.
import "./styles.css";
import { startEarlyReads } from "./access/early-reads.ts";
import { readsOfPlace, textsOfPlace } from "./routes/reads-of-place.ts";
import { needTexts, startLanguage } from "./texts.ts";

startLanguage();
startEarlyReads(readsOfPlace());
// The screen reports a failure when it needs them.
needTexts(textsOfPlace()).catch(() => {});
// Modules read their texts when they load.
const start = () => import("./main.tsx");
void needTexts("admin").then(start, start);

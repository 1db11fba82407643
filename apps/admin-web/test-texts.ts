import { loadTexts } from "./src/texts.ts";

/** Unit tests read the English texts, which modules of the admin web need when they load. */
await loadTexts();

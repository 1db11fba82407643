import { expectNoLeaks } from "@latchkey/testkit";
import { checkDegradation } from "./degradation/check-degradation.ts";
import { samplePage } from "./degradation/page.ts";

expectNoLeaks("file");

// The operations of a row take the same path to the part that is down. `npm run test:matrix` calls all of them.
checkDegradation(await samplePage());

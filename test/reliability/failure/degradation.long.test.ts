import { allOperations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { checkDegradation } from "./degradation/check-degradation.ts";

expectNoLeaks("file");

checkDegradation(allOperations);

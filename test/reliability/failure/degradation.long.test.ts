import { expectNoLeaks } from "@latchkey/testkit";
import { checkDegradation } from "./degradation/check-degradation.ts";
import { observable } from "./degradation/world.ts";

expectNoLeaks("file");

checkDegradation(observable);

import { type Metrics, registerCounter } from "@latchkey/service-kit";
import type { ActivityTally } from "./activity-tally.ts";

/** Wraps a tally to count the activity in the metrics as well, without names. */
export const observeActivity = (tally: ActivityTally, metrics: Metrics): ActivityTally => {
  const signUps = registerCounter(metrics, {
    name: "sign_ups_total",
    help: "Users who signed up",
  });
  const signIns = registerCounter(metrics, {
    name: "sign_ins_total",
    help: "Sign-ins of all methods, by outcome",
    labels: ["outcome"],
  });
  return {
    ...tally,
    noteSignUp: () => {
      signUps.inc();
      tally.noteSignUp();
    },
    noteSignIn: (userId) => {
      signIns.inc({ outcome: "done" });
      tally.noteSignIn(userId);
    },
    noteRefusedSignIn: () => {
      signIns.inc({ outcome: "refused" });
      tally.noteRefusedSignIn();
    },
  };
};

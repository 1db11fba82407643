import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** A step in the sign-in of a device. `wrong-code` and `refused` are of users who guess codes. */
type DeviceStep =
  | "requested"
  | "approved"
  | "denied"
  | "signed-in"
  | "too-soon"
  | "wrong-code"
  | "refused";

/** Counts the steps in the metrics, without names. */
export const observeDevices = (metrics: Metrics): ((step: DeviceStep) => void) => {
  const steps = registerCounter(metrics, {
    name: "device_sign_ins_total",
    help: "Steps in the sign-in of devices, by step",
    labels: ["step"],
  });
  return (step) => steps.inc({ step });
};

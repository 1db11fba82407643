/** Whether a service exited because another program took its port between its choice and its use. */
export const isPortTaken = (output: string): boolean => /Port \d+ \(\w+\) is in use\./.test(output);

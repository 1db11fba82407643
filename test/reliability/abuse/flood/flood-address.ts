const perByte = 256;
const perGroup = 65_536;

/**
 * Returns the client address number `index`, unique below 16 million. Every second one is IPv6, in its own /64, and its lower
 * bits differ too.
 */
export const floodAddress = (index: number): string => {
  const number = Math.floor(index / 2);
  if (index % 2 === 0) {
    const bytes = [Math.floor(number / perByte ** 2), Math.floor(number / perByte), number];
    return `60.${bytes.map((part) => part % perByte).join(".")}`;
  }
  const groups = [Math.floor(number / perGroup), number % perGroup];
  const host = (number * 2_654_435_761) % perGroup;
  return `2001:db8:${groups.map((group) => group.toString(16)).join(":")}::${host.toString(16)}`;
};

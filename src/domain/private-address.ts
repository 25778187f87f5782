/**
 * Whether the host of a URL, a name or a literal address, can only be this machine or stand in a private network. A
 * name other than `localhost` says nothing about where it leads: that shows when it is looked up.
 */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isPrivateAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

/** Whether an IP address is none of the public internet; false for what is no address. */
export function isPrivateAddress(address: string): boolean {
  const groups = address.includes(':') ? ipv6Groups(address) : undefined;
  if (groups !== undefined) return isPrivateIpv6(groups);
  const bits = ipv4Bits(address);
  return bits !== undefined && isPrivateIpv4(bits);
}

/** IANA's special-purpose registry for IPv4 without the blocks for documentation: they lead nowhere. */
const PRIVATE_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Clouds answer questions about the machine and its credentials here.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

function isPrivateIpv4(bits: number): boolean {
  return PRIVATE_IPV4.some(([network, prefix]) => {
    const shift = 32 - prefix;
    return bits >>> shift === (ipv4Bits(network) ?? 0) >>> shift;
  });
}

function ipv4Bits(address: string): number | undefined {
  const parts = address.split('.').map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
  if (parts.length !== 4 || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((bits, part) => bits * 256 + part, 0);
}

function isPrivateIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0] = groups;
  const last = groups.slice(6);
  const isZeroUpTo = (end: number): boolean => groups.slice(0, end).every((group) => group === 0);
  // IPv4 inside IPv6: compatible, with :: and ::1 among them, and mapped.
  if (isZeroUpTo(6) || (isZeroUpTo(5) && groups[5] === 0xffff)) return isPrivateIpv4(bitsOf(last));
  // NAT64 and 6to4 carry the address of the IPv4 host that they lead to.
  if (first === 0x64 && second === 0xff9b) return isPrivateIpv4(bitsOf(last));
  if (first === 0x2002) return isPrivateIpv4(bitsOf([second, third]));
  const isUniqueLocal = (first & 0xfe00) === 0xfc00;
  const isLinkOrSiteLocal = (first & 0xff80) === 0xfe80;
  const isMulticast = (first & 0xff00) === 0xff00;
  return isUniqueLocal || isLinkOrSiteLocal || isMulticast;
}

function bitsOf([high = 0, low = 0]: readonly number[]): number {
  return high * 0x1_0000 + low;
}

/** The eight groups in any spelling of RFC 4291; a zone (`%eth0`) is cut off. URL knows the spellings. */
function ipv6Groups(address: string): readonly number[] | undefined {
  const url = `http://[${address.replace(/%.*$/, '')}]/`;
  if (!URL.canParse(url)) return undefined;
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/**
 * Lengths in bits of a prefix code for symbols that occur so often, of at most `limit` bits; 0: no code. There are at least two codes, as readers of
 * DEFLATE want a whole tree. Where Huffman's code is too long, the counts are made more alike until it is not.
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  let weights = withTwo(counts);
  for (;;) {
    const lengths = depths(weights);
    if (lengths.every((length) => length <= limit)) {
      return lengths;
    }
    weights = weights.map((weight) => (weight === 0 ? 0 : (weight >>> 1) + 1));
  }
}

/** Canonical codes (RFC 1951, 3.2.2) with their bits reversed, as they are written lowest bit first. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let bits = 1; bits <= Math.max(...lengths); bits += 1) {
    lengths.forEach((length, symbol) => {
      if (length === bits) {
        codes[symbol] = reversed(code, bits);
        code += 1;
      }
    });
    code <<= 1;
  }
  return codes;
}

function withTwo(counts: Uint32Array): Uint32Array {
  const weights = counts.slice();
  for (let symbol = 0; weights.filter((weight) => weight > 0).length < 2; symbol += 1) {
    weights[symbol] = Math.max(weights[symbol] ?? 0, 1);
  }
  return weights;
}

/** Huffman's tree by two queues: leaves by weight, and the nodes made of the two lightest, whose weights only grow. */
function depths(weights: Uint32Array): Uint8Array {
  const leaves = [...weights.keys()]
    .filter((symbol) => (weights[symbol] ?? 0) > 0)
    .sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0) || a - b);
  const nodes = leaves.map((symbol) => weights[symbol] ?? 0);
  const parents: number[] = [];
  let leaf = 0;
  let inner = leaves.length;
  const lightest = (): number => {
    const takesLeaf = leaf < leaves.length && (inner >= nodes.length || (nodes[leaf] ?? 0) <= (nodes[inner] ?? 0));
    return takesLeaf ? leaf++ : inner++;
  };
  while (nodes.length < 2 * leaves.length - 1) {
    const [a, b] = [lightest(), lightest()];
    parents[a] = nodes.length;
    parents[b] = nodes.length;
    nodes.push((nodes[a] ?? 0) + (nodes[b] ?? 0));
  }
  const levels = nodes.map(() => 0);
  for (let node = nodes.length - 2; node >= 0; node -= 1) {
    levels[node] = (levels[parents[node] ?? 0] ?? 0) + 1;
  }
  const lengths = new Uint8Array(weights.length);
  leaves.forEach((symbol, at) => {
    lengths[symbol] = levels[at] ?? 0;
  });
  return lengths;
}

function reversed(code: number, bits: number): number {
  let out = 0;
  for (let bit = 0; bit < bits; bit += 1) {
    out |= ((code >> bit) & 1) << (bits - 1 - bit);
  }
  return out;
}

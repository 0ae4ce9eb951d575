import { inflateSync } from 'node:zlib';

/**
 * Unpacks the font in a WOFF file, whose tables are compressed one by one. fontkit reads WOFF, too, but inflates a
 * table for each glyph that it reads.
 *
 * @throws RangeError for a truncated file
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = 44 + index * 20;
    const [offset, packedLength, length] = [4, 8, 12].map((member) => woff.readUInt32BE(at + member));
    const packed = woff.subarray(offset, (offset ?? 0) + (packedLength ?? 0));
    const bytes = packedLength === length ? packed : inflateSync(packed);
    return { tag: woff.subarray(at, at + 4), checksum: woff.readUInt32BE(at + 16), bytes };
  });
  const power = Math.floor(Math.log2(count));
  const header = Buffer.alloc(12 + count * 16);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  header.writeUInt16BE(2 ** power * 16, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(count * 16 - 2 ** power * 16, 10);
  let offset = header.length;
  const padded = tables.map(({ tag, checksum, bytes }, index) => {
    const at = 12 + index * 16;
    tag.copy(header, at);
    header.writeUInt32BE(checksum, at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(bytes.length, at + 12);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    offset += bytes.length + padding.length;
    return Buffer.concat([bytes, padding]);
  });
  return Buffer.concat([header, ...padded]);
}

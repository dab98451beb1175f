/** Says whose fills an archive holds: one trader's, at one address of the service. */
export interface Owner {
  /** The account host's address: origin and path, without a final slash. */
  readonly address: string;
  /** A hash that tells traders apart. Null: the token does not name its trader. */
  readonly subject: string | null;
}

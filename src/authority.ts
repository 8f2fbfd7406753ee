/** Where requests go: a host and a port, default port filled in. */
export interface Authority {
  /** Lower case. */
  host: string
  port: number
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export function authorityOf({ protocol, hostname, port }: URL): Authority {
  return { host: hostname.toLowerCase(), port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) }
}

export function formatAuthority({ host, port }: Authority): string {
  return `${host}:${port}`
}

import { escapeBidi, formatAmount } from '../format.js'

interface MoneyProps {
  readonly amount: string
  readonly asset: string
  readonly sign?: '+' | '−'
}

export const Money = ({ amount, asset, sign }: MoneyProps) => (
  <span class="money">
    {sign}
    {formatAmount(amount, asset)} <small>{assetName(asset)}</small>
  </span>
)

/** `USDC` for `USDC@polygon` */
const assetName = (asset: string): string => escapeBidi(asset.split('@')[0] ?? asset)

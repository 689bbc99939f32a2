# Quantile plot: how many tasks each mode finishes when each may take so long.
#   gnuplot -e "data = 'quantiles.csv'; plot_file = 'quantiles.svg'; modes = 3" quantiles.gp
set terminal svg size 800,560 dynamic background rgb 'white' font 'sans-serif,14'
set output plot_file
set datafile separator ','
set datafile missing ''
set key top left autotitle columnhead
set logscale y
set format y '%g'
set xlabel 'tasks finished'
set ylabel 'wall time of each [s]'
set xrange [0:*]
set grid linecolor rgb '#dddddd'
plot for [column = 2 : modes + 1] data using 1:column with linespoints pointsize 0.4 linewidth 1.5
